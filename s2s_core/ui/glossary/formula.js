// Puts a formula on the page. It is one of the glossary's own, never anything that was typed.

export default function (component) {
  const { parentElement: root, data } = component;
  root.querySelector(".formula").innerHTML = data.formula;
}
