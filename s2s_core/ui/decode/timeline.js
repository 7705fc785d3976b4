// The conductor of the three pictures. Streamlit draws each figure whole, once; this element owns the
// step, covers what lies after it, moves the markers and changes the bars, all without the server.
// When it comes to rest, it says so to Python.
//
// Streamlit calls the default function again whenever the data or the theme change, and may draw a
// chart anew at any time. So everything here can be repeated without harm.

const REST_MS = 250; // after the last act of a person
const ECHO_MS = 1000; // within this time after a touch, a mouse click is its echo
const PATIENCE_MS = 60000; // until a missing chart is called a problem
const PLAY = "M7 4v16l13-8z";
const PAUSE = "M6 4h4v16H6zM14 4h4v16h-4z";
const PICTURES = { attention: attentionPicture, next: nextPicture, tree: treePicture };
const KEYS = {
  ArrowLeft: "previous",
  PageUp: "previous",
  ArrowRight: "next",
  PageDown: "next",
  Home: "first",
  End: "last",
  " ": "play",
};
// Elements that use these keys themselves; "ours" is the range input of this element.
const TAKEN =
  "input:not(.ours), textarea, select, canvas, [contenteditable], [role=slider], [role=spinbutton], " +
  "[role=textbox], [role=combobox], [role=listbox], [role=grid], [role=tab], [role=radio], " +
  "[role=menu], [role=dialog]";
const PRESSED = "button, a, summary, [role=button], [role=checkbox], [role=switch]";

const conductors = new WeakMap();

export default function (component) {
  const root = component.parentElement;
  if (!conductors.has(root)) conductors.set(root, new Conductor(root));
  const conductor = conductors.get(root);
  conductor.update(component.data, component.setStateValue);
  return () => {
    if (!root.host.isConnected) conductor.stop();
  };
}

class Conductor {
  constructor(root) {
    this.root = root;
    this.find = (selector) => root.querySelector(selector);
    this.charts = {};
    this.speed = 1;
    this.onKey = (event) => this.key(event);
    this.announce = this.announce.bind(this);
    this.observer = new MutationObserver(() => this.connect());
  }

  // ---- life ----

  update(data, setStateValue) {
    this.stopped = false;
    const old = this.data;
    this.data = data;
    this.report = setStateValue;
    this.last = data.moments.length;
    if (old?.story !== data.story) {
      this.pause();
      Object.assign(this, data.start);
    } else {
      // The same source: the place is kept, and who was at the end stays at the end.
      this.step = this.step === old.moments.length ? this.last : Math.min(this.step, this.last);
      if (old.search !== data.search) this.node = null;
      if (old.map !== data.map) this.cell = null;
    }
    if (old && old.reveals !== data.reveals) this.reveal();
    this.bindControls();
    window.addEventListener("keydown", this.onKey);
    document.addEventListener("s2s-ask", this.announce);
    this.observer.observe(document.body, { childList: true, subtree: true });
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.complain(), PATIENCE_MS);
    this.connect();
    this.show();
    this.matchTheme();
  }

  // After an act further down whose effect is seen up here.
  reveal() {
    const result = document.querySelector(".s2s-translation");
    if (!result || result.getBoundingClientRect().top >= 0) return;
    result.scrollIntoView({ block: "start" });
  }

  // Streamlit tells Python of a new theme only with the next act: this asks for one.
  matchTheme() {
    const background = getComputedStyle(this.find("section")).backgroundColor;
    const [red, green, blue] = background.match(/\d+/g).map(Number);
    const theme = red + green + blue < 3 * 128 ? "dark" : "light";
    if (theme !== this.data.theme && theme !== this.askedFor) this.rest();
    this.askedFor = theme;
  }

  // The charts may outlive this element and serve the next one, and can't forget a listener of
  // one owner alone: so ours must fall silent, or two conductors would undo each other for ever.
  stop() {
    this.stopped = true;
    this.pause();
    clearTimeout(this.resting);
    clearTimeout(this.waiting);
    window.removeEventListener("keydown", this.onKey);
    document.removeEventListener("s2s-ask", this.announce);
    this.observer.disconnect();
  }

  lives() {
    if (!this.stopped && !this.root.host.isConnected) this.stop();
    return !this.stopped;
  }

  // Where the timeline is, for the pictures.
  get at() {
    const { step, last, node, cell, data } = this;
    return { step, last, node, cell, data, moment: data.moments[step - 1] };
  }

  // ---- controls ----

  bindControls() {
    const range = this.find("input");
    range.oninput = () => {
      this.pause();
      this.go(Number(range.value));
    };
    for (const button of this.root.querySelectorAll("[data-go]"))
      button.onclick = () => this.act(button.dataset.go);
    const select = this.find("select");
    select.onchange = () => {
      this.speed = Number(select.value);
      if (this.playing) this.play();
    };
  }

  act(name) {
    if (name === "play" && !this.playing) return this.play();
    this.pause();
    if (name === "first") this.go(1);
    if (name === "previous") this.go(this.step - 1);
    if (name === "next") this.go(this.step + 1);
    if (name === "last") this.go(this.last);
  }

  go(step) {
    this.step = Math.min(Math.max(step, 1), this.last);
    this.show();
    this.rest();
  }

  play() {
    clearInterval(this.playing);
    this.playing = setInterval(() => {
      this.go(this.step + 1);
      if (this.step === this.last) this.pause();
    }, 1000 / this.speed);
    this.go(this.step === this.last ? 1 : this.step);
  }

  pause() {
    if (!this.playing) return;
    clearInterval(this.playing);
    this.playing = null;
    this.showControls();
    this.rest();
  }

  key(event) {
    const name = KEYS[event.key];
    const target = event.composedPath()[0];
    if (!name || event.defaultPrevented || event.isComposing) return;
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (target.closest?.(TAKEN) || target.isContentEditable) return;
    if (event.key === " " && target.closest?.(PRESSED)) return;
    if (!this.onScreen()) return;
    event.preventDefault();
    this.act(name);
  }

  // Where nothing of the timeline can be seen, the keys scroll the page as usual.
  onScreen() {
    return [this.root.host, ...Object.values(this.charts)].some((element) => {
      const box = element.getBoundingClientRect();
      return box.height > 0 && box.bottom > 0 && box.top < window.innerHeight;
    });
  }

  // Says where it came to rest; only ever after an act of a person.
  rest() {
    clearTimeout(this.resting);
    if (this.playing) return;
    this.resting = setTimeout(() => {
      const { step, last, node, cell } = this;
      const { story, search, map } = this.data;
      this.report("rest", { story, search, map, step, steps: last, node, cell });
    }, REST_MS);
  }

  // ---- charts ----

  // Finds the charts, and finds them again when Streamlit has put new ones in their place.
  connect() {
    if (!this.lives()) return;
    for (const [role, key] of Object.entries(this.data.charts)) {
      const chart = document.querySelector(`.st-key-${key} .js-plotly-plot`);
      if (!chart?._fullLayout?.xaxis?._length || chart === this.charts[role]) continue;
      if (!window.Plotly) {
        this.problem("The charts are drawn, but window.Plotly is missing: no step can be shown.");
        return;
      }
      this.problem("");
      this.charts[role] = chart;
      chart.on("plotly_click", (event) => this.lives() && this.click(role, event));
      chart.on("plotly_beforehover", (event) => !this.lives() || this.answersHover(role, event));
      chart.on("plotly_afterplot", () => this.lives() && this.showChart(role));
      this.showChart(role);
    }
  }

  complain() {
    const missing = Object.keys(this.data.charts).filter((role) => !this.charts[role]?.isConnected);
    if (missing.length) this.problem(`Not drawn yet: ${missing.join(", ")}. Reload the page.`);
  }

  problem(text) {
    this.find(".problem").textContent = text;
    this.find(".problem").hidden = !text;
  }

  click(role, { points: [point], event }) {
    const { moment, step } = this.at;
    // A tap comes twice: as a touch, and as the mouse that browsers make of it.
    if (event.type.startsWith("touch")) this.touchedAt = event.timeStamp;
    else if (event.timeStamp - this.touchedAt < ECHO_MS) return;
    if (role === "tree" && point.customdata && point.x <= step) {
      const id = point.customdata[0];
      this.node = this.node === id ? null : id;
    } else if (role === "attention" && point.y < moment.rows) {
      const same = this.cell?.[0] === point.y && this.cell?.[1] === point.x;
      this.cell = same ? null : [point.y, point.x];
    } else return;
    this.showChart(role);
    this.rest();
  }

  // Plotly asks before it answers the pointer; false means that it stays silent.
  answersHover(role, event) {
    const chart = this.charts[role];
    if (!isCovered(role, chart, this.at, event)) return true;
    window.Plotly.Fx.unhover(chart);
    return false;
  }

  // ---- showing ----

  show() {
    this.announce();
    this.showControls();
    for (const role of Object.keys(this.charts)) this.showChart(role);
  }

  // Other elements on the page can follow the step (`step_lists.js` does).
  announce() {
    const detail = { key: this.data.key, step: this.step };
    document.dispatchEvent(new CustomEvent("s2s-step", { detail }));
  }

  showChart(role) {
    const chart = this.charts[role];
    if (chart.isConnected && chart._fullLayout?.xaxis?._length)
      bringTo(chart, PICTURES[role](chart, this.at));
  }

  // The mark of the space before a word stands back.
  showToken(token) {
    const place = this.find(".token");
    if (place.textContent === token) return;
    const marked = token.length > 1 && token.startsWith("\u2581");
    const mark = Object.assign(document.createElement("span"), { className: "mark" });
    mark.textContent = marked ? token[0] : "";
    place.replaceChildren(mark, marked ? token.slice(1) : token);
  }

  showControls() {
    const { step, last, moment } = this.at;
    const put = (selector, text) => {
      const element = this.find(selector);
      if (element.textContent !== text) element.textContent = text;
    };
    put(".counter", `${step} / ${last}`);
    put(".before", moment.before);
    this.showToken(moment.token);
    put(".percent", moment.percent);
    put(".note", moment.note);
    put(".told", moment.caption);
    put(".play span", this.playing ? "Pause" : "Play");
    this.find(".play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.find(".icon").setAttribute("d", this.playing ? PAUSE : PLAY);
    this.root.host.style.setProperty("--accent", this.data.accent);
    const range = this.find("input");
    range.max = last;
    range.value = step;
    range.style.setProperty("--filled", last > 1 ? (step - 1) / (last - 1) : 1);
    range.setAttribute("aria-valuetext", moment.caption);
    // Not `disabled`, which would take the focus away from who presses the button.
    const ends = { first: 1, previous: 1, next: last, last };
    for (const [name, end] of Object.entries(ends))
      this.find(`[data-go=${name}]`).setAttribute("aria-disabled", step === end);
  }
}
