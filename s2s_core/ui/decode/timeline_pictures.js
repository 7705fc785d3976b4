// What each of the three pictures should show at one moment. Each function gives
// [data changes, layout changes, number of the trace], as Plotly.update takes them.
//
// `at` is { step, last, moment, node, cell, data }: the place in the timeline, and what Python sent.

const STEP_WIDTH = 76; // pixels that a step of the tree needs to be legible
const FONTS = [8, 16]; // smallest and largest, in pixels

function attentionPicture(chart, at) {
  const { rows, row, grid } = at.moment;
  const { xaxis, yaxis } = chart._fullLayout;
  const [width, height] = [xaxis.tickvals.length, yaxis.tickvals.length];
  const below = { xref: "paper", x0: -2, x1: 1, yref: "y", y0: rows - 0.5, y1: height };
  const shapes = [cover(chart, below)];
  const inset = (2 * width) / xaxis._length; // two pixels, or the edge of the plot cuts the line
  if (row !== null) shapes.push(frame(at, inset - 0.5, width - 0.5 - inset, row));
  if (at.cell) shapes.push(frame(at, at.cell[1] - 0.5, at.cell[1] + 0.5, at.cell[0]));
  const layout = {
    shapes,
    "xaxis.tickfont.size": fittingFont(chart, xaxis),
    "yaxis.tickfont.size": fittingFont(chart, yaxis),
  };
  if (!at.data.grids) return [{}, layout, 0];
  const shown = at.data.grids.grids[grid].map((index) => at.data.grids.rows[index]);
  const empty = Array(width).fill(null);
  const z = Array.from({ length: height }, (_, i) => shown[i]?.[1] ?? empty);
  layout["yaxis.ticktext"] = Array.from({ length: height }, (_, i) => shown[i]?.[0] ?? "");
  return [{ z: [z] }, layout, 0];
}

function nextPicture(chart, at) {
  const { values, texts, colors, labels } = at.moment.bars;
  const data = { x: [values], text: [texts], "marker.color": [colors] };
  return [data, { "yaxis.ticktext": labels }, 0];
}

function treePicture(chart, at) {
  const { xaxis } = chart._fullLayout;
  const edge = treeEdge(xaxis, at.step);
  const column = { xref: "x", yref: "paper", y0: 0, y1: 1 };
  const start = at.step - 1 + at.data.bend;
  const band = { type: "rect", ...column, x0: start, x1: edge, layer: "below", opacity: 0.1 };
  const shapes = [
    cover(chart, { ...column, x0: edge, x1: at.last + 5 }),
    { ...band, fillcolor: at.data.accent, line: { width: 0 } },
  ];
  const path = treePath(chart, at.node);
  const data = {
    x: [path.flatMap((node) => [Math.max(0, node.x - 1 + at.data.bend), node.x])],
    y: [path.flatMap((node) => [node.y, node.y])],
    "marker.size": [path.flatMap((_, i) => [0, i === path.length - 1 ? 24 : 0])],
  };
  const trace = chart.data.findIndex((each) => each.meta === "selection");
  return [data, { shapes, "xaxis.range": treeWindow(xaxis, at) }, trace];
}

// Whether a place on the page lies after the present step.
function isCovered(role, chart, at, event) {
  const plot = chart.querySelector(".nsewdrag").getBoundingClientRect();
  const { xaxis, yaxis } = chart._fullLayout;
  if (role === "tree") return xaxis.p2l(event.clientX - plot.left) > treeEdge(xaxis, at.step);
  if (role === "attention") return yaxis.p2l(event.clientY - plot.top) > at.moment.rows - 0.5;
  return false;
}

// Where the cover of the tree begins: right of the present nodes.
function treeEdge(xaxis, step) {
  return step + 12 / (xaxis._length / (xaxis.range[1] - xaxis.range[0]));
}

// All steps if they fit, else as many as fit. The window stays while the present step is in it, and
// then turns like a page: drawing the tree anew takes longer than covering it.
function treeWindow(xaxis, at) {
  const [start, end] = [-0.45, at.last + 0.3];
  const room = Math.max(xaxis._length / STEP_WIDTH, 3);
  if (room >= end - start) return [start, end];
  const [left, right] = xaxis.range;
  const isWindow = Math.abs(right - left - room) < 0.01;
  if (isWindow && at.step - 1 >= left && at.step + 0.2 <= right) return [left, right];
  const place = isWindow && at.step > right ? 0.3 : 0.7; // of the window, for the present step
  const from = Math.min(Math.max(at.step - place * room, start), end - room);
  return [from, from + room];
}

// The nodes from the root to the selected one; none if it isn't drawn.
function treePath(chart, selected) {
  const nodes = new Map();
  for (const trace of chart.data.filter((each) => each.meta === "nodes"))
    trace.customdata.forEach(([id, parent], i) => {
      nodes.set(id, { x: trace.x[i], y: trace.y[i], parent });
    });
  const path = [];
  for (let node = nodes.get(selected); node; node = nodes.get(node.parent)) path.unshift(node);
  return path;
}

// A font that the labels of an axis have room for. It only grows when the chart's width changes:
// smaller labels leave more room, and so could swing for ever.
function fittingFont(chart, axis) {
  const fonts = (chart.fittingFonts ??= {});
  const width = chart._fullLayout.width;
  if (fonts.width !== width) Object.assign(fonts, { width, xaxis: FONTS[1], yaxis: FONTS[1] });
  const room = Math.floor(axis._length / axis.tickvals.length) - 2;
  fonts[axis._name] = Math.max(FONTS[0], Math.min(fonts[axis._name], room));
  return fonts[axis._name];
}

function cover(chart, place) {
  const fillcolor = chart._fullLayout.paper_bgcolor;
  return { type: "rect", ...place, fillcolor, line: { width: 0 }, layer: "above" };
}

function frame(at, x0, x1, row) {
  const line = { color: at.data.accent, width: 3 };
  return { type: "rect", x0, x1, y0: row - 0.5, y1: row + 0.5, line, layer: "above" };
}

// Changes the chart unless it shows this already. Plotly.update, not relayout and restyle: Streamlit
// answers their events by drawing the chart once more.
function bringTo(chart, [data, layout, trace]) {
  const shown = (root, path) => path.split(".").reduce((at, name) => at?.[name], root);
  const plain = (value) => JSON.stringify(ArrayBuffer.isView(value) ? Array.from(value) : value);
  for (const [path, [value]] of Object.entries(data))
    if (plain(shown(chart.data[trace], path)) === plain(value)) delete data[path];
  for (const [path, value] of Object.entries(layout))
    if (plain(shown(chart.layout, path)) === plain(value)) delete layout[path];
  if (Object.keys(data).length || Object.keys(layout).length)
    window.Plotly.update(chart, data, layout, [trace]);
}
