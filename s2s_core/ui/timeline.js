// The conductor of the three pictures. Streamlit draws each figure whole, once; this element owns the
// step, covers what lies after it, moves the markers and changes the bars, all without the server. When
// it comes to rest, it says so to Python.
//
// Streamlit calls the default function again whenever the data or the theme change, and may draw a chart
// anew at any time. So everything here can be repeated: `show` compares what a chart shows with what it
// should show, and does nothing if they agree.

const REST_MS = 250; // after the last act of a person
const PATIENCE_MS = 15000; // until a missing chart is called a problem
const STEP_WIDTH = 76; // pixels that a step of the tree needs to be legible
const PLAY = "M7 4v16l13-8z";
const PAUSE = "M6 4h4v16H6zM14 4h4v16h-4z";
const KEYS = {
  ArrowLeft: "previous",
  PageUp: "previous",
  ArrowRight: "next",
  PageDown: "next",
  Home: "first",
  End: "last",
  " ": "play",
};
// Elements that use these keys themselves.
const TAKEN =
  "input:not([type=range]), input[type=range]:not(.ours), textarea, select, [contenteditable], " +
  "[role=slider], [role=spinbutton], [role=textbox], [role=combobox], [role=listbox], [role=grid], " +
  "[role=tab], [role=radio], [role=menu], [role=dialog]";
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
    this.charts = { attention: null, next: null, tree: null };
    this.step = 1;
    this.node = null;
    this.cell = null;
    this.speed = 1;
    this.find = (selector) => root.querySelector(selector);
    this.onKey = (event) => this.key(event);
    this.connect = this.connect.bind(this);
  }

  // ---- life ----

  update(data, setStateValue) {
    const old = this.data;
    this.data = data;
    this.report = setStateValue;
    this.bindControls();
    if (!old || old.story !== data.story) {
      this.pause();
      this.place(data.start);
    } else {
      // Another search of the same source: who was at the end stays at the end.
      this.step = this.step === old.moments.length ? this.last : Math.min(this.step, this.last);
      if (old.search !== data.search) this.node = null;
      if (old.map !== data.map) this.cell = null;
    }
    this.start();
    this.show();
  }

  place(start) {
    this.step = Math.min(Math.max(start.step ?? this.last, 1), this.last);
    this.node = start.node;
    this.cell = start.cell;
  }

  start() {
    window.addEventListener("keydown", this.onKey);
    this.observer ??= new MutationObserver(() => {
      if (!this.root.host.isConnected) this.stop();
      else if (Object.keys(this.charts).some((role) => this.chart(role) !== this.charts[role]))
        this.connect();
    });
    this.observer.observe(document.body, { childList: true, subtree: true });
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.complain(), PATIENCE_MS);
    this.connect();
  }

  stop() {
    this.pause();
    clearTimeout(this.resting);
    clearTimeout(this.waiting);
    window.removeEventListener("keydown", this.onKey);
    this.observer?.disconnect();
  }

  get last() {
    return this.data.moments.length;
  }

  get moment() {
    return this.data.moments[this.step - 1];
  }

  // ---- controls ----

  bindControls() {
    const range = this.find("input");
    range.classList.add("ours");
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
    if (name === "play") {
      if (this.playing) this.pause();
      else this.play();
      return;
    }
    this.pause();
    const to = { first: 1, previous: this.step - 1, next: this.step + 1, last: this.last };
    this.go(to[name]);
  }

  go(step) {
    this.step = Math.min(Math.max(step, 1), this.last);
    this.show();
    this.rest();
  }

  play() {
    clearInterval(this.playing);
    if (this.step === this.last) this.go(1);
    this.playing = setInterval(() => {
      if (this.step === this.last - 1) this.pause();
      this.go(this.step + 1);
    }, 1000 / this.speed);
    this.showControls();
  }

  pause() {
    if (!this.playing) return;
    clearInterval(this.playing);
    this.playing = null;
    this.showControls();
    this.rest();
  }

  key(event) {
    const target = event.composedPath()[0];
    const name = KEYS[event.key];
    if (!name || event.defaultPrevented || event.isComposing) return;
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (target.closest?.(TAKEN) || target.isContentEditable) return;
    if (event.key === " " && target.closest?.(PRESSED)) return;
    if (!this.onScreen()) return;
    event.preventDefault();
    this.act(name);
  }

  // Keys scroll as usual where nothing of the timeline can be seen.
  onScreen() {
    return [this.root.host, ...Object.values(this.charts)].some((element) => {
      if (!element?.isConnected) return false;
      const box = element.getBoundingClientRect();
      return box.height > 0 && box.bottom > 0 && box.top < window.innerHeight;
    });
  }

  // Says where it came to rest; only ever after an act of a person.
  rest() {
    clearTimeout(this.resting);
    if (this.playing) return;
    this.resting = setTimeout(() => {
      const { story, search, map } = this.data;
      const { step, node, cell } = this;
      this.report("rest", { story, search, map, step, node, cell });
    }, REST_MS);
  }

  // ---- charts ----

  chart(role) {
    return document.querySelector(`.st-key-${this.data.charts[role]} .js-plotly-plot`);
  }

  connect() {
    for (const role of Object.keys(this.charts)) {
      const chart = this.data.charts[role] && this.chart(role);
      if (!chart?._fullLayout?.xaxis?._length || chart === this.charts[role]) continue;
      if (!window.Plotly) {
        this.problem("The charts are drawn, but window.Plotly is missing: steps can't be shown.");
        continue;
      }
      this.charts[role] = chart;
      chart.on("plotly_click", (event) => this.click(role, event.points[0]));
      chart.on("plotly_beforehover", (event) => !this.hides(role, event));
      chart.on("plotly_afterplot", () => this.showChart(role));
      this.showChart(role);
    }
  }

  complain() {
    const missing = Object.keys(this.charts).filter(
      (role) => this.data.charts[role] && !this.charts[role]?.isConnected,
    );
    if (missing.length) this.problem(`Not drawn yet: ${missing.join(", ")}. Reload the page.`);
  }

  problem(text) {
    const box = this.find(".problem");
    box.textContent = text;
    box.hidden = !text;
  }

  click(role, point) {
    if (role === "tree") {
      if (!point.customdata || point.x > this.step) return;
      const id = point.customdata[0];
      this.node = this.node === id ? null : id;
    } else if (role === "attention") {
      if (point.y >= this.moment.rows) return;
      const same = this.cell?.[0] === point.y && this.cell?.[1] === point.x;
      this.cell = same ? null : [point.y, point.x];
    } else return;
    this.showChart(role);
    this.rest();
  }

  // Whether the pointer is over something that lies after the present step.
  hides(role, event) {
    const chart = this.charts[role];
    const plot = chart.querySelector(".nsewdrag").getBoundingClientRect();
    const { xaxis, yaxis } = chart._fullLayout;
    const hidden =
      (role === "tree" && xaxis.p2l(event.clientX - plot.left) > this.treeEdge(xaxis)) ||
      (role === "attention" && yaxis.p2l(event.clientY - plot.top) > this.moment.rows - 0.5);
    if (hidden) window.Plotly.Fx.unhover(chart);
    return hidden;
  }

  // ---- showing ----

  show() {
    this.showControls();
    for (const role of Object.keys(this.charts)) this.showChart(role);
  }

  showControls() {
    const { moment, step, last } = this;
    const range = this.find("input");
    range.max = last;
    range.value = step;
    range.setAttribute("aria-valuetext", moment.caption);
    const put = (selector, text) => {
      if (this.find(selector).textContent !== text) this.find(selector).textContent = text;
    };
    put(".counter", `${step} / ${last}`);
    put(".before", moment.token ? moment.before : moment.prefix);
    put(".token", moment.token);
    put(".percent", moment.percent);
    put(".note", moment.note);
    put(".told", moment.caption);
    put(".play span", this.playing ? "Pause" : "Play");
    this.find(".play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.find(".icon").setAttribute("d", this.playing ? PAUSE : PLAY);
    this.root.host.style.setProperty("--accent", this.data.accent);
    for (const [name, end] of [["first", 1], ["previous", 1], ["next", last], ["last", last]])
      this.find(`[data-go=${name}]`).disabled = step === end;
  }

  showChart(role) {
    const chart = this.charts[role];
    if (!chart?.isConnected || !chart._fullLayout?.xaxis?._length) return;
    const [data, layout, trace] = {
      attention: () => this.attention(chart),
      next: () => this.next(chart),
      tree: () => this.tree(chart),
    }[role]();
    for (const change of [data, layout])
      for (const [path, value] of Object.entries(change)) {
        const from = change === data ? chart.data[trace] : chart.layout;
        const now = path.split(".").reduce((at, name) => at?.[name], from);
        if (JSON.stringify(plain(now)) === JSON.stringify(change === data ? value[0] : value))
          delete change[path];
      }
    // `update`, not `relayout` and `restyle`: Streamlit answers their events by drawing once more.
    if (Object.keys(data).length || Object.keys(layout).length)
      window.Plotly.update(chart, data, layout, [trace]);
  }

  attention(chart) {
    const { rows, row, grid } = this.moment;
    const { xaxis, yaxis, paper_bgcolor } = chart._fullLayout;
    const count = yaxis.tickvals.length;
    const shapes = [
      cover({ yref: "y", y0: rows - 0.5, y1: count, xref: "paper", x0: -2, x1: 1 }, paper_bgcolor),
    ];
    if (row !== null) shapes.push(this.frame(-0.5, xaxis.tickvals.length - 0.5, row, 3));
    if (this.cell) shapes.push(this.frame(this.cell[1] - 0.5, this.cell[1] + 0.5, this.cell[0], 4));
    const data = {};
    const layout = { shapes, "xaxis.tickfont.size": fit(xaxis), "yaxis.tickfont.size": fit(yaxis) };
    if (this.data.grids) {
      const shown = this.data.grids.grids[grid].map((index) => this.data.grids.rows[index]);
      const empty = Array(xaxis.tickvals.length).fill(null);
      data.z = [yaxis.tickvals.map((_, i) => shown[i]?.[1] ?? empty)];
      layout["yaxis.ticktext"] = yaxis.tickvals.map((_, i) => shown[i]?.[0] ?? "");
    }
    return [data, layout, 0];
  }

  frame(x0, x1, row, width) {
    const line = { color: this.data.accent, width };
    return { type: "rect", x0, x1, y0: row - 0.5, y1: row + 0.5, line, layer: "above" };
  }

  next(chart) {
    const { bars } = this.moment;
    if (!bars) return [{ x: [chart.data[0].y.map(() => 0)] }, {}, 0];
    const data = { x: [bars.values], text: [bars.texts], "marker.color": [bars.colors] };
    return [data, { "yaxis.ticktext": bars.labels }, 0];
  }

  tree(chart) {
    const { xaxis, paper_bgcolor } = chart._fullLayout;
    const edge = this.treeEdge(xaxis);
    const whole = { yref: "paper", y0: 0, y1: 1, xref: "x" };
    const band = { type: "rect", ...whole, x0: this.step - 0.65, x1: edge, layer: "below" };
    const shapes = [
      cover({ ...whole, x0: edge, x1: this.last + 5 }, paper_bgcolor),
      { ...band, fillcolor: this.data.accent, opacity: 0.1, line: { width: 0 } },
    ];
    const path = this.path(chart);
    const data = {
      x: [path.flatMap((node) => [node.x - 0.65, node.x])],
      y: [path.flatMap((node) => [node.y, node.y])],
      "marker.size": [path.flatMap((node, i) => [0, i === path.length - 1 ? 24 : 0])],
    };
    const trace = chart.data.findIndex((each) => each.meta === "selection");
    return [data, { shapes, "xaxis.range": this.treeWindow(xaxis) }, trace];
  }

  // Where the cover of the tree begins: right of the present nodes.
  treeEdge(xaxis) {
    return this.step + 12 / (xaxis._length / (xaxis.range[1] - xaxis.range[0]));
  }

  // All steps if they fit, else as many as fit, the present one among them.
  treeWindow(xaxis) {
    const start = -0.45;
    const end = this.last + 0.3;
    const room = Math.max(xaxis._length / STEP_WIDTH, 3);
    if (room >= end - start) return [start, end];
    const right = Math.min(Math.max(this.step + 0.3 * room, start + room), end);
    return [right - room, right];
  }

  // The nodes from the root to the selected one.
  path(chart) {
    const nodes = new Map();
    for (const trace of chart.data.filter((each) => each.meta === "nodes"))
      trace.customdata.forEach(([id, parent], i) => {
        nodes.set(id, { x: trace.x[i], y: trace.y[i], parent });
      });
    const path = [];
    for (let at = nodes.get(this.node); at; at = nodes.get(at.parent)) path.unshift(at);
    return path;
  }
}

function cover(place, color) {
  return { type: "rect", ...place, fillcolor: color, line: { width: 0 }, layer: "above" };
}

// Plotly's typed arrays and ours compare as plain ones.
function plain(value) {
  return ArrayBuffer.isView(value) ? Array.from(value) : value;
}

// A font that the rows or columns have room for.
function fit(axis) {
  return Math.max(8, Math.min(16, Math.floor(axis._length / axis.tickvals.length) - 2));
}
