// Streamlit hears of a text area only when it loses the focus or on Ctrl+Enter. This presses
// Ctrl+Enter for the person whenever the typing rests, so that the page can answer meanwhile.

const REST_MS = 400;
const listeners = new WeakMap();

export default function (component) {
  const root = component.parentElement;
  if (!listeners.has(root)) listeners.set(root, new Listener(root));
  listeners.get(root).update(component.data.key);
  return () => {
    if (!root.host.isConnected) listeners.get(root).stop();
  };
}

class Listener {
  constructor(root) {
    this.root = root;
    this.heard = (event) => {
      if (!root.host.isConnected) return this.stop();
      if (!event.target.closest(`.st-key-${this.key}`)) return;
      clearTimeout(this.timer);
      if (!event.isComposing) this.timer = setTimeout(() => commit(event.target), REST_MS);
    };
  }

  update(key) {
    this.key = key;
    document.addEventListener("input", this.heard);
    document.addEventListener("compositionend", this.heard);
  }

  stop() {
    clearTimeout(this.timer);
    document.removeEventListener("input", this.heard);
    document.removeEventListener("compositionend", this.heard);
  }
}

function commit(area) {
  const enter = { key: "Enter", code: "Enter", keyCode: 13, ctrlKey: true, bubbles: true };
  area.dispatchEvent(new KeyboardEvent("keydown", enter));
}
