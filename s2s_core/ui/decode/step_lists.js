// What lives and what is finished at the present step. The step comes from the timeline with the same
// key (`timeline.js`), as an event on the document.

const lists = new WeakMap();

export default function (component) {
  const root = component.parentElement;
  if (!lists.has(root)) lists.set(root, new Lists(root));
  lists.get(root).update(component.data);
  return () => {
    if (!root.host.isConnected) lists.get(root).stop();
  };
}

class Lists {
  constructor(root) {
    this.root = root;
    this.hear = (event) => {
      if (!root.host.isConnected) this.stop();
      else if (event.detail.key === this.data.key) this.show(event.detail.step);
    };
  }

  update(data) {
    this.data = data;
    this.show(data.step);
    document.addEventListener("s2s-step", this.hear);
    document.dispatchEvent(new CustomEvent("s2s-ask"));
  }

  stop() {
    document.removeEventListener("s2s-step", this.hear);
  }

  show(step) {
    const { live, pool, texts, log_probs, scores, sums, size } = this.data;
    const [alive, best] = [live[step - 1], pool[step - 1]];
    if (!alive) return; // the timeline has other data already; ours are on their way
    const lines = alive.map((id) => [texts[id], log_probs[id], ""]);
    this.fill(".live", `Live prefixes after step ${step}: log P`, lines, "None: every prefix has ended.");
    const worst = best.length ? `, worst score ${scores[best.at(-1)]}` : "";
    const title = `Pool, ${best.length} of ${size}${worst}`;
    const finished = best.map((id) => [texts[id], scores[id], sums[id]]);
    this.fill(".pool", title, finished, "Nothing has finished yet.");
  }

  fill(selector, title, lines, nothing) {
    const table = this.root.querySelector(selector);
    table.querySelector("caption").textContent = title;
    const rows = lines.map(([text, number, sum]) => {
      const row = document.createElement("tr");
      const words = cell(row, "", text || "(nothing)");
      words.dir = "auto";
      if (sum) words.append(Object.assign(document.createElement("small"), { textContent: sum }));
      cell(row, "number", number);
      return row;
    });
    if (!rows.length) {
      rows.push(document.createElement("tr"));
      cell(rows[0], "none", nothing);
    }
    table.querySelector("tbody").replaceChildren(...rows);
  }
}

function cell(row, name, text) {
  const made = row.insertCell();
  made.className = name;
  made.append(Object.assign(document.createElement("bdi"), { textContent: text }));
  return made;
}
