// The n-grams of a hypothesis as buttons, and the chosen one marked in all texts. Typed text only
// ever becomes text nodes. A click goes to Python, which owns the choice.

export default function (component) {
  const { parentElement: root, data, setStateValue } = component;
  const { tokens, references, fates, order, chosen, total } = data;
  root.querySelector("h4").textContent = data.title;
  const ngram = chosen === null ? null : tokens.slice(chosen, chosen + order);
  mark(root.querySelector(".tokens"), tokens, ngram);

  const chips = fates.map((fate, start) => {
    const chip = document.createElement("button");
    chip.type = "button";
    chip.className = fate;
    const pressed = same(tokens, start, ngram);
    chip.setAttribute("aria-pressed", String(pressed));
    chip.title = { matched: "matched", clipped: "clipped away", unmatched: "in no reference" }[fate];
    const sign = Object.assign(document.createElement("i"), { textContent: SIGNS[fate] });
    chip.append(sign, " ", bdi(tokens.slice(start, start + order).join(" ")));
    // The time makes every click a new value; an equal one wouldn't be sent.
    chip.onclick = () => setStateValue("chosen", { start: pressed ? null : start, at: Date.now() });
    return chip;
  });
  if (total > fates.length) {
    const more = document.createElement("p");
    more.className = "note";
    more.textContent = `The first ${fates.length} of ${total}; the table below has all.`;
    chips.push(more);
  }
  root.querySelector(".chips").replaceChildren(...chips);

  const places = references.map((reference) => {
    const place = document.createElement("div");
    const title = Object.assign(document.createElement("h4"), { textContent: reference.title });
    const text = Object.assign(document.createElement("p"), { className: "tokens", dir: "auto" });
    const times = mark(text, reference.tokens, ngram);
    if (ngram) title.textContent += `: ${times} time${times === 1 ? "" : "s"} here`;
    place.append(title, text);
    return place;
  });
  root.querySelector(".references").replaceChildren(...places);
}

const SIGNS = { matched: "✓", clipped: "✂", unmatched: "✗" };

function bdi(text) {
  return Object.assign(document.createElement("bdi"), { textContent: text });
}

function same(tokens, start, ngram) {
  return ngram !== null && ngram.every((token, place) => tokens[start + place] === token);
}

// Writes the tokens, with every occurrence of the n-gram marked; says how many there are.
function mark(place, tokens, ngram) {
  const inside = new Array(tokens.length).fill(false);
  let times = 0;
  for (let start = 0; ngram && start + ngram.length <= tokens.length; start += 1) {
    if (!same(tokens, start, ngram)) continue;
    times += 1;
    inside.fill(true, start, start + ngram.length);
  }
  const pieces = [];
  for (let start = 0; start < tokens.length; ) {
    let end = start;
    while (end < tokens.length && inside[end] === inside[start]) end += 1;
    const text = tokens.slice(start, end).join(" ");
    const piece = document.createElement(inside[start] ? "mark" : "span");
    piece.textContent = text;
    pieces.push(piece, " ");
    start = end;
  }
  place.replaceChildren(...(pieces.length ? pieces : ["(no tokens)"]));
  return times;
}
