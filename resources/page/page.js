// SPDX-License-Identifier: BSD-3-Clause
// Shows what the file holds: pictures at moments, marks of what is chosen, words. It computes nothing about a run.
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const byId = id => document.getElementById(id);
  const phone = matchMedia('(max-width: 899px)');
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const figures = [...document.querySelectorAll('#stage figure')];
  const story = byId('story');
  const now = {run: 0, shot: 0, step: null, rank: null, block: null, message: null};
  let steps = [];
  let timer = 0;
  let wasChoosing = false;
  let fresh = false;  // pictures of another run
  let steered = Date.now() + 500;  // until then scrolling is ours, not the reader's

  const run = () => data.runs[now.run];
  /** Shots from begin to end, without those of questions. */
  const way = () => run().way || (run().way = run().words.map((_, i) => i).filter(i => !run().hidden[i]));
  const shown = answer => now.step && +now.step.dataset.run === now.run && +now.step.dataset.shot === now.shot;

  // Pictures.
  function shapesOf(frame) {
    const numbers = [];
    for (let i = 0; i < frame.length; i += 2)
      for (let shape = frame[i]; shape < frame[i] + frame[i + 1]; ++shape) numbers.push(shape);
    return numbers;
  }
  const drawn = shapes => shapes.map(shape => data.shapes[shape]);
  /** Shapes at the bottom that no shot of the run changes: they are drawn once. */
  function ground(view, layout) {
    const grounds = run().grounds || (run().grounds = {});
    const key = view + layout;
    if (grounds[key]) return grounds[key];
    const frames = run().views[view][layout];
    let shared = shapesOf(frames[0]);
    for (const frame of frames) {
      const shapes = shapesOf(frame);
      let same = 0;
      while (same < shared.length && shapes[same] === shared[same]) ++same;
      shared = shared.slice(0, same);
    }
    return grounds[key] = shared;
  }
  function moving(view, layout) {
    const words = drawn(shapesOf(run().views[view][layout][now.shot]).slice(ground(view, layout).length));
    const route = now.block === null || view !== 'network' ? null : run().routes[now.block];
    if (!route) return words.join('');
    const ranks = words.findIndex(each => each.includes('data-m="r'));
    words.splice(ranks < 0 ? 0 : ranks, 0,
      '<g class="route">' + drawn(shapesOf(route[layout])).join('') + '</g>');
    return words.join('');
  }
  function draw() {
    const layout = phone.matches ? 1 : 0;
    for (const figure of figures) {
      const picture = figure.querySelector(layout ? 'svg.phone' : 'svg.desk');
      const view = figure.dataset.view;
      const canvas = picture.lastElementChild;
      if (canvas.dataset.run !== String(now.run)) {
        canvas.innerHTML = '<g>' + drawn(ground(view, layout)).join('') + '</g><g></g>';
        canvas.dataset.run = now.run;
        fresh = true;
      }
      canvas.lastElementChild.innerHTML = moving(view, layout);
      picture.firstElementChild.textContent = figure.dataset.heading + '. ' + run().words[now.shot];
    }
    light();
    const at = way().indexOf(now.shot);
    const slider = byId('at');
    slider.max = way().length - 1;
    if (at >= 0) slider.value = at;
    slider.setAttribute('aria-valuetext', run().words[now.shot].split('.')[0]);
    byId('words').textContent = run().words[now.shot];
  }

  // What is chosen.
  function light() {
    const lit = new Set();
    if (now.rank !== null) lit.add('r' + now.rank);
    if (now.message !== null) lit.add('m' + now.message);
    if (now.rank !== null) for (const each of run().ofRank[now.rank] || []) lit.add('m' + each);
    if (now.block !== null) for (const each of run().ofBlock[now.block] || []) lit.add('m' + each);
    const choosing = now.rank !== null || now.block !== null || now.message !== null;
    const round = 'n' + run().rounds[now.shot];
    const here = now.run === 0 || !data.grid ? document : byId('stage');
    // What moves has just been drawn again, without marks: most of the time there is nothing to do.
    const marked = choosing || wasChoosing || fresh;
    fresh = false;
    wasChoosing = choosing;
    for (const picture of here.querySelectorAll(marked ? '#stage svg, #strip svg' : '#strip svg')) {
      picture.classList.toggle('choosing', choosing);
      for (const mark of picture.querySelectorAll('[data-m]')) {
        const name = mark.dataset.m;
        mark.classList.toggle('lit', lit.has(name) || (name[0] === 'b' &&
          (name.startsWith('b' + now.block + '.') || name.endsWith('.' + now.rank))));
        mark.classList.toggle('now', name === round);
      }
    }
  }
  function sayChosen() {
    const panel = byId('chosen');
    const parts = [];
    for (const [kind, letter] of [['rank', 'r'], ['block', 'b'], ['message', 'm']]) {
      if (now[kind] === null) continue;
      const told = now.run === 0 && byId(kind + '=' + now[kind]);
      const part = document.createElement('div');
      if (told && told.tagName === 'SECTION') part.append(...[...told.cloneNode(true).childNodes]);
      else part.textContent = kind === 'block' ? run().blocks[now.block] : run().tips[letter + now[kind]] || '';
      parts.push(part);
    }
    panel.hidden = parts.length === 0 || run().hidden[now.shot] === 1;
    byId('chosen-words').replaceChildren(...parts);
    for (const kind of ['rank', 'block']) byId('choose-' + kind).value = now[kind] === null ? '' : now[kind];
  }
  function choose(what) {
    Object.assign(now, what);
    light();
    sayChosen();
    draw();
    remember();
  }
  function choices() {
    const fill = (id, names) => {
      const list = byId(id);
      list.replaceChildren(list.options[0], ...names.map((name, i) => new Option(name, i)));
      list.parentElement.hidden = names.length === 0;
    };
    fill('choose-rank', run().ofRank.map((_, rank) => 'rank ' + rank));
    fill('choose-block', run().blocks);
  }

  // Moments.
  function stop() {
    clearInterval(timer);
    timer = 0;
    byId('play').textContent = 'Play';
    byId('words').setAttribute('aria-live', 'polite');
  }
  function setRun(number) {
    if (number === now.run) return;
    Object.assign(now, {run: number, shot: 0, rank: null, block: null, message: null});
    choices();
    sayChosen();
    byId('result').textContent = run().result;
  }
  function show(shot) {
    now.shot = shot;
    draw();
  }
  function mark(step) {
    if (now.step) now.step.classList.remove('current');
    now.step = step;
    if (step) step.classList.add('current');
  }
  /** Shows what a step of the story is about. */
  function enter(step) {
    mark(step);
    setRun(+step.dataset.run);
    now.rank = step.dataset.rank ? +step.dataset.rank : data.keep ? now.rank : null;
    if (!data.keep) {
      now.block = now.message = null;
      byId('chosen').hidden = true;
    }
    show(+step.dataset.shot);
    remember();
  }
  function go(step) {
    if (!step) return;
    stop();
    enter(step);
    bring(step);
  }
  function bring(step, atOnce = calm.matches) {
    steered = Date.now() + (atOnce ? 200 : 900);
    step.scrollIntoView({block: phone.matches ? 'start' : 'center', behavior: atOnce ? 'instant' : 'smooth'});
  }
  /** The step that a shot of the present run belongs to. */
  function stepAt(shot) {
    return steps.filter(step => +step.dataset.run === now.run && !run().hidden[+step.dataset.shot] &&
      +step.dataset.shot <= shot).pop() || null;
  }
  function turn(by) {
    const at = steps.indexOf(now.step);
    go(steps[Math.max(0, Math.min(steps.length - 1, at + by))]);
  }
  function tick() {
    const moments = calm.matches ? steps.filter(each => +each.dataset.run === now.run).map(each => +each.dataset.shot)
      .filter(shot => !run().hidden[shot]) : way();
    const next = moments.find(shot => shot > now.shot);
    if (next === undefined) {
      stop();
      remember();
      return;
    }
    show(next);
    const step = stepAt(next);
    if (step && step !== now.step) {
      mark(step);
      bring(step);
    }
  }
  function play() {
    if (timer) {
      stop();
      remember();
      return;
    }
    if (run().hidden[now.shot] || now.shot === way()[way().length - 1]) show(way()[0]);
    byId('play').textContent = 'Stop';
    byId('words').setAttribute('aria-live', 'off');
    timer = setInterval(tick, calm.matches ? 1500 : Math.max(60, Math.min(400, 12000 / way().length)));
  }

  // Links: "#round=4&rank=3&block=0", "#lesson=2&stop=3&at=17".
  function remember() {
    if (timer || !now.step) return;
    const parts = [now.step.id];
    for (const kind of ['rank', 'block', 'message'])
      if (now[kind] !== null && String(now[kind]) !== (now.step.dataset[kind] || '')) parts.push(kind + '=' + now[kind]);
    if (!shown()) parts.push('at=' + now.shot);
    if (data.grid)
      data.grid.axes.forEach(axis => {
        if (+byId('grid-' + axis.key).value !== axis.at) parts.push(axis.key + '=' + byId('grid-' + axis.key).value);
      });
    history.replaceState(null, '', '#' + parts.join('&'));
  }
  function recall() {
    const words = location.hash.slice(1).split('&').filter(Boolean);
    const asked = {};
    const rest = [];
    const axes = data.grid ? data.grid.axes.map(axis => axis.key) : [];
    for (const word of words) {
      const [key, value] = word.split('=');
      if (['rank', 'block', 'message', 'at', ...axes].includes(key) && /^\d+$/.test(value)) asked[key] = +value;
      else rest.push(word);
    }
    if (axes.some(key => key in asked)) {
      axes.forEach(key => { if (key in asked) byId('grid-' + key).value = asked[key]; });
      setGrid();
    }
    const step = steps.find(each => each.id === rest.join('&'));
    if (!words.length || (!step && !('rank' in asked || 'block' in asked || 'message' in asked || 'at' in asked)))
      return words.length === 0;
    const target = step || now.step || steps[0];
    stop();
    enter(target);
    if (step) bring(step, true);
    if (asked.at < run().words.length) show(asked.at);
    const within = {rank: run().ofRank.length, block: run().blocks.length, message: Infinity};
    const chosen = {};
    for (const kind of Object.keys(within)) if (asked[kind] < within[kind]) chosen[kind] = asked[kind];
    choose(chosen);
    return true;
  }

  // Other sizes and costs.
  function setGrid() {
    const number = data.grid.axes.reduce((sum, axis) => sum * axis.values.length + +byId('grid-' + axis.key).value, 0);
    for (const axis of data.grid.axes) {
      const input = byId('grid-' + axis.key);
      byId('grid-' + axis.key + '-is').textContent = axis.values[+input.value];
      input.setAttribute('aria-valuetext', axis.values[+input.value]);
    }
    const chosen = {rank: now.rank, block: now.block};
    const id = now.step ? now.step.id : steps[0].id;
    setRun(data.grid.runs[number]);
    story.querySelector('.steps').innerHTML = run().story || data.runs[0].story;
    readSteps();
    enter(steps.find(step => step.id === id) || steps[steps.length - 1]);
    choose({rank: chosen.rank !== null && chosen.rank < run().ofRank.length ? chosen.rank : null,
            block: chosen.block !== null && chosen.block < run().blocks.length ? chosen.block : null});
  }

  // Questions: a wrong answer is explained, and may be tried once more.
  function ask(question) {
    const verdict = question.querySelector('.verdict');
    let tries = 0;
    for (const item of question.querySelectorAll('li')) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = item.textContent;
      item.replaceChildren(button);
      button.addEventListener('click', () => {
        const right = item.dataset.right === '1';
        ++tries;
        button.setAttribute('aria-pressed', 'true');
        button.textContent += right ? ' \u2713' : ' \u2717';
        const over = right || tries > 1;
        verdict.textContent = (right ? 'Right. ' : 'No. ') + (right ? '' : item.dataset.why + ' ') +
          (over ? question.dataset.truth : 'Try again.');
        if (!right) button.disabled = true;
        if (!over) return;
        for (const each of question.querySelectorAll('button')) each.disabled = true;
        if (question.dataset.shot) show(+question.dataset.shot);
        question.closest('.step').dataset.shot = question.dataset.shot;
      });
    }
  }

  // The reader.
  let watcher = null;
  /** Which step is read: the one in the middle; on a phone, where pictures lie above the words, the one below them. */
  function watch() {
    if (watcher) watcher.disconnect();
    steered = Math.max(steered, Date.now() + 300);
    const below = byId('stage').offsetHeight;
    const top = Math.round(phone.matches ? below + 60 : innerHeight * 0.45);
    document.documentElement.style.scrollPaddingTop = phone.matches ? below + 8 + 'px' : '';
    watcher = new IntersectionObserver(seen => {
      if (timer || Date.now() < steered) return;
      for (const each of seen) if (each.isIntersecting && each.target !== now.step) enter(each.target);
    }, {rootMargin: `${-top}px 0px ${-Math.max(0, innerHeight - top - 40)}px 0px`});
    for (const step of steps) watcher.observe(step);
  }
  function readSteps() {
    steps = [...document.querySelectorAll('.step')];
    for (const step of steps) {
      const question = step.querySelector('.question');
      if (question) ask(question);
    }
    watch();
  }
  const nameUnder = event => {
    const mark = event.target.closest && event.target.closest('svg [data-m], svg [data-tip]');
    return mark && !mark.closest('.defs') ? mark : null;
  };
  document.addEventListener('pointermove', event => {
    const mark = nameUnder(event);
    const tip = byId('tip');
    tip.hidden = !mark;
    if (!mark) return;
    const name = mark.dataset.m || '';
    const cell = /^b(\d+)\.(\d+)$/.exec(name);
    tip.textContent = mark.dataset.tip || run().tips[name] || (cell ? 'rank ' + cell[2] + ', ' + run().blocks[cell[1]] : '') ||
      (name[0] === 'n' ? 'round ' + (+name.slice(1) + 1) : '');
    tip.hidden = !tip.textContent;
    tip.style.left = Math.max(4, Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 4)) + 'px';
    tip.style.top = Math.max(4, Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 4)) + 'px';
  });
  document.addEventListener('click', event => {
    const link = event.target.closest('a[href^="#"]');
    const mark = nameUnder(event);
    if (!mark || link) return;
    const name = mark.dataset.m || '';
    const number = parseInt(name.slice(1), 10);
    if (name[0] === 'r') choose({rank: now.rank === number ? null : number, block: null, message: null});
    if (name[0] === 'm') choose({message: now.message === number ? null : number, rank: null, block: null});
    if (name[0] === 'b') choose({block: now.block === number ? null : number, rank: null, message: null});
    if (name[0] === 'n') go(steps.find(step => step.id === 'round=' + (number + 1)));
  });
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape') {
      byId('tip').hidden = true;
      if (now.rank !== null || now.block !== null || now.message !== null)
        choose({rank: null, block: null, message: null});
      return;
    }
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest('input, select, button, a, summary')) return;
    if (event.key === 'ArrowLeft') turn(-1);
    else if (event.key === 'ArrowRight') turn(1);
    else if (event.key === ' ') play();
    else return;
    event.preventDefault();
  });
  byId('back').addEventListener('click', () => turn(-1));
  byId('next').addEventListener('click', () => turn(1));
  byId('play').addEventListener('click', play);
  byId('at').addEventListener('input', event => {
    stop();
    now.shot = way()[+event.target.value];
    mark(stepAt(now.shot) || now.step || steps[0]);
    draw();
    remember();
  });
  for (const kind of ['rank', 'block'])
    byId('choose-' + kind).addEventListener('change', event => choose({
      rank: null, block: null, message: null, [kind]: event.target.value === '' ? null : +event.target.value}));
  for (const button of document.querySelectorAll('#pictures-chosen button'))
    button.addEventListener('click', () => {
      for (const each of document.querySelectorAll('#pictures-chosen button'))
        each.setAttribute('aria-pressed', String(each === button));
      for (const figure of figures) figure.classList.toggle('aside', figure.dataset.view !== button.dataset.view);
    });
  if (data.grid)
    for (const axis of data.grid.axes) byId('grid-' + axis.key).addEventListener('input', () => { stop(); setGrid(); });
  phone.addEventListener('change', () => {
    byId('more').open = !phone.matches;
    draw();
  });
  addEventListener('resize', watch);
  byId('more').addEventListener('toggle', watch);
  byId('close').addEventListener('click', () => choose({rank: null, block: null, message: null}));
  addEventListener('hashchange', recall);

  document.documentElement.classList.add('live');
  for (const each of document.querySelectorAll('[data-live]')) each.hidden = false;
  if (data.grid) data.runs[0].story = story.querySelector('.steps').innerHTML;
  for (const figure of figures.slice(1)) figure.classList.add('aside');
  byId('more').open = !phone.matches;
  readSteps();
  choices();
  mark(steps[0]);
  now.shot = +steps[0].dataset.shot;
  if (!recall() || !location.hash) draw();
  // The browser goes to the place of a link by itself when all is there.
  addEventListener('load', () => { if (location.hash && now.step) bring(now.step, true); });
})();
