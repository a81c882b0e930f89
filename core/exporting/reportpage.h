#pragma once

#include <string_view>

/// The unchanging parts of the page of htmlreport.h. Data is in the element "data", as JSON. The script builds everything
/// with textContent, so no name is ever parsed as HTML.
namespace sweepscope::exporting {

inline constexpr std::string_view reportStyle = R"css(
:root { color-scheme: light dark; --back: #ffffff; --text: #1d2329; --soft: #5c6670; --line: #d5dade; --fill: #f3f5f7;
  --main: #1f77b4; --best: #d1490c; --pruned: #8c6bb1; --other: #7a858f; }
@media (prefers-color-scheme: dark) { :root { --back: #1b1e22; --text: #e4e8eb; --soft: #a0aab3; --line: #3b4249;
  --fill: #262b30; --main: #6cb4ee; --best: #ff9a5c; --pruned: #c3a6e0; --other: #8c97a1; } }
@media print { :root { color-scheme: light; --back: #ffffff; --text: #000000; --soft: #444444; --line: #bbbbbb; --fill: #ffffff;
  --main: #1f77b4; --best: #d1490c; --pruned: #8c6bb1; --other: #7a858f; } .controls { display: none !important; }
  .scroll { max-height: none !important; overflow: visible !important; } table { font-size: 9px; } h2 { break-after: avoid; }
  figure, tr, .finding { break-inside: avoid; } th { position: static !important; }
  details { display: none; } body { padding: 0; } @page { margin: 14mm; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 90rem; font: 15px/1.5 system-ui, sans-serif; color: var(--text);
  background: var(--back); }
h1 { font-size: 1.7rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p { margin: .4rem 0; } .soft { color: var(--soft); }
pre { margin: 0; padding: .8rem; background: var(--fill); border: 1px solid var(--line); border-radius: 4px; overflow: auto;
  font: 13px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .5rem 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow: auto; max-height: 70vh; border: 1px solid var(--line); border-radius: 4px; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .6rem; text-align: left; border-bottom: 1px solid var(--line); white-space: nowrap; }
.number { text-align: right; } td.long { white-space: normal; min-width: 16rem; overflow-wrap: anywhere; }
th { position: sticky; top: 0; background: var(--fill); } tr.best td { font-weight: 600; color: var(--best); }
th button { all: unset; cursor: pointer; font-weight: 600; } th button:focus-visible { outline: 2px solid var(--main); }
.controls { display: flex; flex-wrap: wrap; gap: .6rem; margin: .5rem 0; align-items: center; }
input, select { font: inherit; padding: .25rem .5rem; color: inherit; background: var(--back); border: 1px solid var(--line);
  border-radius: 4px; }
input { width: 20rem; max-width: 100%; } details { margin: .5rem 0; } summary { cursor: pointer; }
h3 { font-size: 1rem; margin: .8rem 0 0; } h3 .soft { font-weight: 400; font-size: 13px; } .finding p { margin: .1rem 0; max-width: 60rem; }
input[type=number] { width: 7rem; } input[type=checkbox] { width: auto; }
button { font: inherit; } .controls button { padding: .25rem .7rem; color: inherit; background: var(--fill);
  border: 1px solid var(--line); border-radius: 4px; } .controls button:disabled { opacity: .5; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; font-size: 13px; } .legend .key { display: inline-block; width: 1.2rem;
  margin-right: .4rem; border-top: 3px solid var(--main); vertical-align: middle; } .legend .key.best { border-color: var(--best); }
.legend .key.pruned { border-color: var(--pruned); } .legend .key.other { border-color: var(--other); }
.chosen { fill: var(--main); fill-opacity: .15; } #curves svg { user-select: none; cursor: crosshair; }
figure { margin: 0; position: relative; } figcaption { min-height: 1.5em; font-size: 13px; color: var(--soft); }
svg { display: block; width: 100%; height: auto; } svg text { fill: var(--soft); font: 12px system-ui, sans-serif; }
.axis { stroke: var(--line); fill: none; } .curve { fill: none; stroke: var(--main); stroke-opacity: .35; stroke-linecap: round; }
.many .curve { stroke-opacity: .12; } .many .curve.best, .many .curve.shown { stroke-opacity: 1; }
.curve.pruned { stroke: var(--pruned); } .curve.other { stroke: var(--other); }
.curve.best { stroke: var(--best); stroke-opacity: 1; stroke-width: 2; } .curve.shown { stroke: var(--text); stroke-opacity: 1;
  stroke-width: 2.5; }
.dots { fill: none; stroke: var(--main); stroke-width: 6; stroke-linecap: round; stroke-opacity: .55; }
.dots.pruned { stroke: var(--pruned); } .dots.other { stroke: var(--other); }
.dots.best { stroke: var(--best); stroke-width: 9; stroke-opacity: 1; }
.dots.shown { stroke: var(--text); stroke-width: 9; stroke-opacity: 1; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 1rem; }
#importance svg { max-width: 50rem; } .bar { fill: var(--main); } .range { stroke: var(--text); }
)css";

inline constexpr std::string_view reportScript = R"js(
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const svgNames = 'http://www.w3.org/2000/svg';
function element(name, attributes, text) {
  const made = document.createElement(name);
  for (const key in attributes || {}) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  return made;
}
function shape(parent, name, attributes, text) {
  const made = document.createElementNS(svgNames, name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}
function short(value) {
  if (typeof value !== 'number') return value === null ? '' : String(value);
  const size = Math.abs(value);
  if (size >= 1e7 || (size > 0 && size < 1e-4)) return value.toExponential(4).replace(/\.?0+e\+?/, 'e');
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(5)));
}
// Without the last digits of a sum: 0.30000000000000004 is no label.
function tidy(tick, step) { return short(step ? Number((Math.round(tick / step) * step).toPrecision(12)) : tick); }
function kindOf(state) { return state === 'completed' ? 'completed' : state === 'pruned' ? 'pruned' : 'other'; }
function inWords(trial) {
  const row = data.rows.find(one => one[0] === trial);
  if (!row) return 'Trial ' + trial;
  const parts = data.columns.map((column, i) => column.parameter && row[i] !== null ? column.name + ' = ' + short(row[i]) : '');
  return 'Trial ' + trial + ', ' + row[1] + ': ' + data.objective + ' ' + (short(row[2]) || 'unknown') + '. '
    + parts.filter(part => part).join(', ');
}

// Scales
function scaleOf(low, high, log, from, to) {
  if (!(high > low)) { const room = log ? 0 : Math.abs(low) * 0.1 || 1; low -= room; high += room; if (log) { low /= 2; high *= 2; } }
  const f = log ? Math.log10 : value => value;
  const a = f(low), b = f(high);
  const scale = value => from + (f(value) - a) / (b - a) * (to - from);
  scale.ticks = [];
  if (log && b - a >= 1) {
    const every = Math.ceil((b - a) / 6);
    for (let e = Math.ceil(a - 1e-9); e <= b + 1e-9; e += every) scale.ticks.push(Number('1e' + e));
    if (scale.ticks.length < 3)
      for (let e = Math.floor(a); e <= b; ++e)
        for (const digit of [2, 5]) if (Number(digit + 'e' + e) >= low && Number(digit + 'e' + e) <= high) scale.ticks.push(Number(digit + 'e' + e));
  } else {
    const rough = (high - low) / 5, power = Math.pow(10, Math.floor(Math.log10(rough)));
    const step = [1, 2, 5, 10].map(one => one * power).find(one => one >= rough);
    for (let i = Math.ceil(low / step); i * step <= high + step * 1e-9; ++i) scale.ticks.push(i * step);
    scale.step = step;
  }
  return scale;
}
// Whether few values, such as those of the first steps, are far above the others
function isSpread(values) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const low = sorted[0], high = sorted[sorted.length - 1], middle = sorted[Math.floor(sorted.length / 2)];
  return low > 0 && high / low > 100 && (high - low) > 20 * (middle - low);
}
function valueAxis(values, from, to, log = isSpread(values)) {
  let low = Infinity, high = -Infinity;
  for (const one of values) if (Number.isFinite(one) && (!log || one > 0)) { low = Math.min(low, one); high = Math.max(high, one); }
  return low <= high ? scaleOf(low, high, log, from, to) : null;
}
function plot(title, width, height, x, y, names) {
  const figure = element('figure'), caption = element('figcaption', {}, title);
  const svg = document.createElementNS(svgNames, 'svg');
  svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', title);
  for (const tick of y.ticks) {
    shape(svg, 'path', {class: 'axis', d: 'M60 ' + y(tick) + 'H' + (width - 10)});
    shape(svg, 'text', {x: 54, y: y(tick) + 4, 'text-anchor': 'end'}, tidy(tick, y.step));
  }
  x.ticks.forEach((tick, i) => shape(svg, 'text', {x: x(tick), y: height - 22, 'text-anchor': 'middle'},
                                     names ? names[i].slice(0, 14) : tidy(tick, x.step)));
  figure.append(caption, svg);
  return {figure, caption, svg, title};
}
function hover(chart, nearest, show) {
  chart.svg.addEventListener('pointermove', event => {
    const box = chart.svg.getBoundingClientRect(), view = chart.svg.viewBox.baseVal;
    const found = nearest((event.clientX - box.left) / box.width * view.width, (event.clientY - box.top) / box.height * view.height);
    chart.caption.textContent = found === null ? chart.title : inWords(found);
    show(found);
  });
  chart.svg.addEventListener('pointerleave', () => { chart.caption.textContent = chart.title; show(null); });
}

// Curves
const kindNames = {best: 'best trial', completed: 'completed', pruned: 'pruned', other: 'failed or not finished'};
function legend(kinds) {
  const parts = element('div', {class: 'legend soft'});
  for (const kind in kindNames) {
    if (!kinds.has(kind)) continue;
    const part = element('span');
    part.append(element('i', {class: 'key ' + kind}), kindNames[kind]);
    parts.append(part);
  }
  return parts;
}
function drawCurves(parent) {
  const all = data.curves.filter(curve => curve.y.some(value => value !== null));
  if (!all.length) { parent.append(element('p', {class: 'soft'}, 'No trial has reported ' + data.objective + '.')); return; }
  let first = Infinity, last = -Infinity;
  const values = [];
  for (const curve of all) {
    for (const one of curve.x) { first = Math.min(first, one); last = Math.max(last, one); }
    for (const one of curve.y) if (one !== null) values.push(one);
    curve.kind = curve.t === data.best ? 'best' : kindOf(curve.s);
  }
  all.sort((a, b) => (a.t === data.best) - (b.t === data.best));
  const controls = element('div', {class: 'controls'}), place = element('div');
  const field = label => element('input', {type: 'number', 'aria-label': label});
  const from = field('First step'), to = field('Last step'), log = element('input', {type: 'checkbox'});
  const logLabel = element('label'), reset = element('button', {type: 'button'}, 'Show all steps');
  logLabel.append(log, ' Logarithmic');
  log.disabled = !values.some(value => value > 0);
  log.checked = isSpread(values);
  controls.append(element('span', {}, 'Steps'), from, element('span', {}, 'to'), to, reset, logLabel);
  parent.append(controls, legend(new Set(all.map(curve => curve.kind))), place);

  function zoom(low, high) { from.value = low; to.value = high; draw(); }
  function draw() {
    const low = from.value === '' ? first : Number(from.value), high = to.value === '' ? last : Number(to.value);
    const isValid = low < high || (low === first && high === last);
    from.setCustomValidity(isValid ? '' : 'The first step must be before the last one.');
    if (!isValid) { from.reportValidity(); return; }
    reset.disabled = low === first && high === last;
    const shown = [];
    for (const curve of all) curve.y.forEach((value, i) => {
      if (value !== null && curve.x[i] >= low && curve.x[i] <= high) shown.push(value);
    });
    drawIn(low, high, shown.some(value => !log.checked || value > 0) ? shown : values);
  }
  function drawIn(low, high, shown) {
    const width = 1200, height = 420, left = 60, right = width - 20;
    const x = scaleOf(low, high, false, left, right), y = valueAxis(shown, height - 45, 12, log.checked);
    const chart = plot(data.objective + ' by step, ' + (all.length === 1 ? '1 trial' : all.length + ' trials')
                       + '. Point at a curve to see its trial. Drag to zoom.', width, height, x, y);
    if (all.length > 200) chart.svg.classList.add('many');
    const clip = shape(chart.svg, 'clipPath', {id: 'plotArea'});
    shape(clip, 'rect', {x: left - 4, y: 0, width: right - left + 8, height: height - 38});
    const inside = shape(chart.svg, 'g', {'clip-path': 'url(#plotArea)'}), lines = new Map();
    const isDrawn = value => value !== null && (!log.checked || value > 0);
    for (const curve of all) {
      let d = '', pen = 'M';
      curve.y.forEach((value, i) => {
        if (!isDrawn(value)) { pen = 'M'; return; }
        d += pen + x(curve.x[i]).toFixed(1) + ' ' + y(value).toFixed(1);
        pen = 'L';
      });
      const isPoint = !d.includes('L');
      if (isPoint && d) d += 'h0';
      lines.set(curve.t, shape(inside, 'path', {class: (isPoint ? 'dots ' : 'curve ') + curve.kind, d}));
    }
    const over = shape(inside, 'path', {class: 'curve shown', d: ''});
    hover(chart, (px, py) => {
      let best = 400, found = null;
      for (const curve of all) for (let i = 0; i < curve.x.length; ++i) {
        if (!isDrawn(curve.y[i]) || curve.x[i] < low || curve.x[i] > high) continue;
        const dx = x(curve.x[i]) - px, dy = y(curve.y[i]) - py, distance = dx * dx + dy * dy;
        if (distance < best) { best = distance; found = curve.t; }
      }
      return found;
    }, trial => over.setAttribute('d', trial === null ? '' : lines.get(trial).getAttribute('d')));
    drag(chart.svg, left, right, height - 45, (a, b) => {
      const stepAt = place => low + (place - left) / (right - left) * (high - low);
      zoom(Math.floor(stepAt(a)), Math.ceil(stepAt(b)));
    });
    chart.svg.addEventListener('dblclick', () => zoom(first, last));
    place.replaceChildren(chart.figure);
  }
  for (const input of [from, to, log]) input.addEventListener('change', draw);
  reset.addEventListener('click', () => zoom(first, last));
  zoom(first, last);
}
// Calls `chosen` with both ends of a range that was dragged over
function drag(svg, left, right, height, chosen) {
  const range = shape(svg, 'rect', {class: 'chosen', y: 0, height, width: 0});
  let begin = null, end = null;
  const placeOf = event => {
    const box = svg.getBoundingClientRect();
    return Math.min(right, Math.max(left, (event.clientX - box.left) / box.width * svg.viewBox.baseVal.width));
  };
  svg.addEventListener('pointerdown', event => { if (event.button === 0 && event.pointerType !== 'touch') begin = end = placeOf(event); });
  svg.addEventListener('pointermove', event => {
    if (begin === null) return;
    if (!svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId);
    end = placeOf(event);
    range.setAttribute('x', Math.min(begin, end));
    range.setAttribute('width', Math.abs(end - begin));
  });
  svg.addEventListener('pointerup', () => {
    const [a, b] = [Math.min(begin, end), Math.max(begin, end)];
    const isRange = begin !== null && b - a > 8;
    begin = null;
    range.setAttribute('width', 0);
    if (isRange) chosen(a, b);
  });
}

// Scatter plots
function drawScatter(parent, parameter) {
  const values = data.scatter.values, width = 420, height = 260;
  const y = valueAxis(values, height - 45, 12);
  const x = scaleOf(parameter.low, parameter.high, parameter.log, 75, width - 25);
  if (parameter.categories.length) x.ticks = parameter.categories.map((_, i) => i);
  if (parameter.categories.length === 1) x.ticks = [0];
  const chart = plot(data.objective + ' by ' + parameter.name, width, height, x, y, parameter.categories.length ? parameter.categories : null);
  const places = [], dots = {completed: '', pruned: '', other: '', best: ''};
  values.forEach((value, i) => {
    if (parameter.values[i] === null) return;
    const px = x(parameter.values[i]), py = y(value), trial = data.scatter.trials[i];
    places.push([px, py, trial]);
    dots[trial === data.best ? 'best' : kindOf(data.scatter.states[i])] += 'M' + px.toFixed(1) + ' ' + py.toFixed(1) + 'h0';
  });
  for (const kind in dots) if (dots[kind]) shape(chart.svg, 'path', {class: 'dots ' + kind, d: dots[kind]});
  const over = shape(chart.svg, 'path', {class: 'dots shown', d: ''});
  let shown = [];
  hover(chart, (px, py) => {
    let best = 200, found = null;
    for (const place of places) {
      const distance = (place[0] - px) ** 2 + (place[1] - py) ** 2;
      if (distance < best) { best = distance; found = place; }
    }
    shown = found;
    return found === null ? null : found[2];
  }, trial => over.setAttribute('d', trial === null ? '' : 'M' + shown[0] + ' ' + shown[1] + 'h0'));
  parent.append(chart.figure);
}

function drawImportance(parent) {
  const shown = data.importance;
  if (shown.note) parent.append(element('p', {class: 'soft'}, shown.note));
  if (!shown.shares.length) return;
  const height = shown.shares.length * 26 + 10;
  const svg = document.createElementNS(svgNames, 'svg');
  svg.setAttribute('viewBox', '0 0 800 ' + height);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', 'Parameter importance');
  const order = shown.shares.map((_, i) => i).sort((a, b) => shown.shares[b] - shown.shares[a]);
  order.forEach((i, row) => {
    const top = row * 26 + 6;
    shape(svg, 'text', {x: 195, y: top + 13, 'text-anchor': 'end'}, shown.names[i].slice(0, 28));
    shape(svg, 'rect', {class: 'bar', x: 205, y: top, width: 480 * shown.shares[i], height: 16});
    shape(svg, 'path', {class: 'range', d: 'M' + (205 + 480 * shown.lows[i]) + ' ' + (top + 8) + 'H' + (205 + 480 * shown.highs[i])});
    shape(svg, 'text', {x: 700, y: top + 13}, (100 * shown.shares[i]).toFixed(0) + '%');
  });
  parent.append(svg);
}

// Tables. The second column is a word to choose by; `fixed`: the number of columns that are shown even if they are empty
function drawTable(parent, shownTable) {
  const {columns, rows: cellsOfRows, what, choice, order = '', best, fixed} = shownTable;
  const controls = element('div', {class: 'controls'});
  const filter = element('input', {type: 'search', placeholder: 'Filter ' + what, 'aria-label': 'Filter ' + what});
  const state = element('select', {'aria-label': choice});
  state.append(element('option', {value: ''}, 'Any ' + choice.toLowerCase()));
  for (const name of [...new Set(cellsOfRows.map(row => row[1]))].sort()) state.append(element('option', {value: name}, name));
  const count = element('span', {class: 'soft', role: 'status'});
  controls.append(filter, state, count);
  const table = element('table'), head = element('thead'), body = element('tbody'), titles = element('tr');
  let by = -1, descending = false;
  const isEmpty = columns.map((_, i) => i >= fixed && cellsOfRows.every(row => row[i] === null));
  const isNumber = columns.map((_, i) => cellsOfRows.some(row => typeof row[i] === 'number'));
  const cells = columns.map((column, i) => {
    const cell = element('th', isNumber[i] ? {scope: 'col', class: 'number'} : {scope: 'col'}), button = element('button', {type: 'button'}, column.name);
    button.addEventListener('click', () => { descending = by === i && !descending; by = i; fill(); });
    cell.append(button);
    if (!isEmpty[i]) titles.append(cell);
    return cell;
  });
  const numberOf = value => typeof value === 'number' ? value : value === 'inf' ? Infinity : value === '-inf' ? -Infinity : NaN;
  const rows = cellsOfRows.map(row => {
    const line = element('tr', row[0] === best ? {class: 'best'} : {});
    row.forEach((value, i) => isEmpty[i] || line.append(element('td', isNumber[i] ? {class: 'number', title: value === null ? '' : String(value)}
                                                  : columns[i].long ? {class: 'long'} : {}, short(value))));
    return {row, line, words: row.map(short).join('\n').toLowerCase()};
  });
  function compare(a, b) {
    const left = a.row[by], right = b.row[by];
    if (left === null || right === null) return (left === null) - (right === null);  // what is unknown comes last
    const numbers = [numberOf(left), numberOf(right)];
    const order = numbers.every(one => !Number.isNaN(one)) ? (numbers[0] < numbers[1] ? -1 : numbers[0] > numbers[1] ? 1 : 0)
      : String(left).localeCompare(String(right));
    return descending ? -order : order;
  }
  function fill() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(word => word);
    const shown = rows.filter(one => (!state.value || one.row[1] === state.value) && words.every(word => one.words.includes(word)));
    if (by >= 0) shown.sort((a, b) => compare(a, b) || a.row[0] - b.row[0]);
    body.replaceChildren(...shown.map(one => one.line));
    count.textContent = shown.length + ' of ' + rows.length + (by < 0 ? order : '');
    cells.forEach((cell, i) => {
      if (i === by) cell.setAttribute('aria-sort', descending ? 'descending' : 'ascending'); else cell.removeAttribute('aria-sort');
      cell.firstChild.textContent = columns[i].name + (i === by ? (descending ? ' ▼' : ' ▲') : '');
    });
  }
  filter.addEventListener('input', fill);
  state.addEventListener('change', fill);
  head.append(titles);
  table.append(head, body);
  const scroll = element('div', {class: 'scroll', tabindex: '0'});
  scroll.append(table);
  parent.append(controls, scroll);
  fill();
}

drawCurves(document.getElementById('curves'));
const places = new Map(data.ranking.map((trial, i) => [trial, i]));
const placeOf = row => places.has(row[0]) ? places.get(row[0]) : data.rows.length + row[0];
const scatter = document.getElementById('scatter');
if (scatter && data.scatter.values.length) for (const parameter of data.parameters) drawScatter(scatter, parameter);
if (document.getElementById('importance')) drawImportance(document.getElementById('importance'));
drawTable(document.getElementById('trials'), {columns: data.columns, rows: [...data.rows].sort((a, b) => placeOf(a) - placeOf(b)), what: 'trials',
                                             choice: 'State', order: ', best first', best: data.best, fixed: 4});
const findings = document.getElementById('findings');
findings.append(element('p', {class: 'soft'}, data.findings.note));
for (const group of data.findings.groups) {
  const part = element('section', {class: 'finding'}), title = element('h3', {}, group.title);
  title.append(element('span', {class: 'soft'}, ' ' + group.severity + ', ' + group.trials));
  part.append(title, element('p', {}, group.sentence));
  if (group.hint) part.append(element('p', {class: 'soft'}, group.hint));
  findings.append(part);
}
if (data.findings.rows.length) {
  const details = element('details');
  details.append(element('summary', {}, 'Table of all findings'));
  findings.append(details);
  drawTable(details, {columns: data.findings.columns, rows: data.findings.rows, what: 'findings', choice: 'Severity', best: null, fixed: 4});
}
)js";

/// SHA-256 of reportScript in base64: the only script that the page's policy allows. A test compares the two.
inline constexpr std::string_view reportScriptHash = "0tHseJaS2PpFY+VPnSPB1FDYolDYeEfeJSb3Pwts7iA=";

}  // namespace sweepscope::exporting
