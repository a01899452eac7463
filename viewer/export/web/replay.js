// Time, camera and page together; `window.replay` is the one there is.

const SPEEDS = [0.125, 0.25, 0.5, 1, 2, 4, 8, 16];
const EVENT_COLORS = { formation: '#ffc733', arrived: '#4dd980', jam: '#f25940' };
const byId = id => document.getElementById(id);

class Replay {
  constructor(data) {
    this.head = data.head;
    this.motion = new Motion(data);
    this.canvas = document.querySelector('canvas');
    this.camera = new Camera(this.head.camera, this.canvas);
    this.picture = new Picture(this.canvas, data, this.motion, () => { this.stale = true; });
    Object.assign(this, { time: 0, speed: 1, playing: false, followed: -1 });
    this.shown = Object.fromEntries(this.head.layers.map(({ name, on }) => [name, on]));
    this.stale = true;
    this.fillPage();
    this.listen();
    this.seek(0);
    let before = performance.now();
    const tick = now => {
      if (this.playing) this.advance((now - before) / 1000);
      before = now;
      if (this.stale) this.draw();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    if (this.head.goes_on) this.follow();
  }

  // Ask for what was simulated since, as long as the run goes on.
  async follow() {
    this.toggle(true);
    try {
      while (this.head.goes_on) {
        await new Promise(done => setTimeout(done, 400));
        const answer = await fetch(`more?after=${this.head.frames}`);
        if (!answer.ok) throw new Error(answer.statusText);
        if (answer.status === 200) this.take(await unpack(await answer.text()));
      }
    } catch {
      this.head.goes_on = false;
      this.head.lost = true;
    }
    this.stale = true;
  }

  // Go on with all frames so far, where the camera, the layers and the clock are.
  take(data) {
    const { first } = data.head, before = this.head.events.filter(
      event => event.time < first * this.head.dt);
    this.head = data.head = { ...this.head, ...data.head };
    this.head.events = [...before, ...this.head.events];
    this.motion.goOn(new Motion(data), first);
    this.picture.goOn(data, this.motion);
    this.layersCome(data.head.missing);
    byId('time').max = this.duration;
    this.fillMarks();
    this.seek(this.time);
  }

  get duration() { return this.head.duration; }

  seek(time) {
    this.time = clamp(time, 0, this.duration);
    this.motion.seek(this.time / this.head.dt);
    this.motion.seekGait(this.time);
    this.stale = true;
  }

  advance(seconds) {
    this.seek(this.time + seconds * this.speed);
    if (this.time >= this.duration && !this.head.goes_on) this.toggle(false);
  }

  toggle(playing = !this.playing) {
    const { goes_on } = this.head;
    if (playing && this.time >= this.duration && !goes_on) this.seek(0);
    this.playing = playing && (this.duration > 0 || goes_on);
    byId('play').textContent = this.say(this.playing ? 'Pause' : 'Play');
    this.stale = true;
  }

  step(frames) {
    this.toggle(false);
    this.seek((Math.round(this.time / this.head.dt) + frames) * this.head.dt);
  }

  changeSpeed(steps) {
    const row = clamp(SPEEDS.indexOf(this.speed) + steps, 0, SPEEDS.length - 1);
    this.speed = SPEEDS[row];
    byId('speed').textContent = `${this.speed}×`;
  }

  nextEvent() {
    const { events } = this.head;
    const next = events.find(event => event.time > this.time + 1e-6) ?? events[0];
    if (next) this.seek(next.time);
  }

  toggleLayer(name) {
    if (byId(`layer-${name}`).disabled) return;
    this.shown[name] = !this.shown[name];
    for (const other of MAPS) // of the maps on the ground, one at most is on
      if (MAPS.includes(name) && other !== name) this.shown[other] = false;
    for (const each of Object.keys(this.shown)) byId(`layer-${each}`).checked = this.shown[each];
    this.showLegend();
    this.stale = true;
  }

  // What the colors of a map on the ground say.
  showLegend() {
    const name = MAPS.find(each => this.shown[each]), { crowd } = this.head;
    byId('legend').style.display = name ? 'block' : 'none';
    if (!name) return;
    const [title, high] = crowd.legends[name], colors = crowd.ramp.map(color =>
      `rgb(${color.map(value => Math.round(255 * value))})`);
    byId('legend').children[0].textContent = 
      this.shown.mean ? this.say('mean {}', title) : title;
    byId('legend').children[1].style.background = `linear-gradient(to right, ${colors})`;
    byId('legend').children[2].lastChild.textContent = high;
  }

  overview() {
    this.followed = -1;
    this.camera.reset();
    this.stale = true;
  }

  // Where a member is on the page [pixels], or null behind the eye.
  onPage(member) {
    const [x, y, z] = this.motion.position.subarray(3 * member, 3 * member + 3);
    return this.pointOnPage(x, y, z + this.head.height[member] / 2);
  }

  pointOnPage(x, y, h) {
    const m = this.camera.viewProjection;
    const row = axis => m[axis] * x + m[4 + axis] * y + m[8 + axis] * h + m[12 + axis];
    const w = row(3);
    if (w <= 0) return null;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    return [(0.5 + 0.5 * row(0) / w) * width, (0.5 - 0.5 * row(1) / w) * height];
  }

  // Follow the member at a point of the page, or none.
  pick(x, y) {
    let best = 30;
    this.followed = -1;
    for (let member = 0; member < this.head.members; member++) {
      const at = this.motion.there(member) ? this.onPage(member) : null;
      const gap = at ? Math.hypot(at[0] - x, at[1] - y) : Infinity;
      if (gap < best) [best, this.followed] = [gap, member];
    }
    if (this.followed >= 0)
      this.camera.distance = Math.min(this.camera.distance, 12 * this.head.height[this.followed]);
    this.stale = true;
  }

  draw() {
    this.stale = false;
    const { head, motion, camera } = this;
    if (this.followed >= 0) {
      const at = motion.position.subarray(3 * this.followed, 3 * this.followed + 3);
      camera.target = [at[0], at[1], at[2] + head.height[this.followed] / 2];
    }
    const yellow = [1, 0.88, 0.1];
    const tint = member =>
      member === this.followed ? yellow : head.groups[head.group_of[member]].color;
    const { sight } = this.picture.marks;
    const cut = this.shown.roofs ? NEVER : sight.cut(motion, camera, this.followed);
    this.picture.draw(motion, camera, this.shown, tint, this.followed, cut);
    this.showFacts();
    this.placeLabels();
  }

  placeLabels() {
    for (const { layer, at, element } of this.labels) {
      const place = this.shown[layer] ? this.pointOnPage(...at) : null;
      element.style.display = place ? '' : 'none';
      if (place) element.style.transform = `translate(${place[0]}px, ${place[1]}px)`;
    }
    byId('moment').replaceChildren(...this.picture.marks.labels.flatMap(({ text, at, color }) => {
      const place = this.pointOnPage(...at);
      return place ? [this.labelOf(text, color, place)] : [];
    }));
  }

  labelOf(text, color, place = [0, 0]) {
    const element = document.createElement('span');
    element.textContent = text;
    element.style.color = `rgb(${color.map(value => Math.round(255 * value))})`;
    element.style.transform = `translate(${place[0]}px, ${place[1]}px)`;
    return element;
  }

  fillLayers() {
    const list = byId('layers');
    this.labels = [];
    for (const { name, key, title, help, on, problem, missing, labels = [] } of this.head.layers) {
      const line = list.appendChild(document.createElement('label'));
      const box = line.appendChild(document.createElement('input'));
      const nothing = problem ?? missing;
      Object.assign(box, { type: 'checkbox', id: `layer-${name}`, checked: on && !nothing });
      box.disabled = Boolean(nothing);
      line.append(title);
      line.title = [help, nothing].filter(Boolean).join('\n');
      line.classList.toggle('off', box.disabled);
      if (problem) line.append(` (${this.say('too large')})`);
      const press = key === key.toUpperCase() ? `⇧${key}` : key;
      line.appendChild(document.createElement('kbd')).textContent = press;
      box.addEventListener('change', () => { this.toggleLayer(name); box.blur(); });
      for (const [text, at, color] of labels)
        this.labels.push({ layer: name, at, element: byId('labels').appendChild(this.labelOf(text, color)) });
    }
    byId('layer').hidden = this.head.layers.length === 0;
  }

  // Layers that had nothing to show at first, of a run that goes on.
  layersCome(missing) {
    for (const [name, why] of Object.entries(missing)) {
      const box = byId(`layer-${name}`);
      if (why || !box.disabled) continue;
      box.disabled = false;
      box.parentElement.classList.remove('off');
      box.parentElement.title = this.head.layers.find(each => each.name === name).help;
    }
  }

  showFacts() {
    const { head, time } = this;
    byId('time').value = time;
    byId('clock').textContent = `${clock(time)} / ${clock(this.duration)}`;
    const past = head.events.filter(event => event.time <= time + 1e-6).at(-1);
    byId('event').textContent = past
      ? `${clock(past.time)}  ${past.who ? `${past.who}: ` : ''}${past.text}` : '';
    head.groups.forEach((group, row) => {
      const now = group.formations.filter(([start]) => start <= time + 1e-6).at(-1);
      byId('groups').children[row].lastChild.textContent = now?.[1] ? ` · ${now[1]}` : '';
    });
    const group = head.groups[head.group_of[this.followed]];
    byId('live').textContent = head.lost ? this.say('the run is not reached any more')
      : head.goes_on ? this.say('simulated up to {}', clock(this.duration)) : '';
    byId('member').textContent = group
      ? this.say('following {}', `${group.name} ${this.followed}`) : '';
  }

  // A text in the language of the page, with a value put into its braces.
  say(text, value = '') {
    return (this.head.words[text] ?? text).replace('{}', value);
  }

  translatePage() {
    document.documentElement.lang = this.head.language;
    for (const element of document.querySelectorAll('#bar *, #help *')) {
      for (const name of ['title', 'aria-label'])
        if (element.hasAttribute(name))
          element.setAttribute(name, this.say(element.getAttribute(name)));
      const text = element.textContent.trim().replace(/\s+/g, ' ');
      if (element.children.length === 0 && text) element.textContent = this.say(text);
    }
  }

  fillPage() {
    const { head } = this;
    this.translatePage();
    const facts = byId('facts').children;
    facts[0].textContent = head.title;
    const count = head.members
      ? this.say(head.members === 1 ? '{} member' : '{} members', head.members) : '';
    const scene = head.scene === head.title ? '' : head.scene;
    facts[1].textContent = [scene, count].filter(Boolean).join(' · ');
    document.body.classList.toggle('still', this.duration === 0 && !head.goes_on);
    for (const group of head.groups) {
      const line = byId('groups').appendChild(document.createElement('div'));
      line.className = 'group';
      line.appendChild(document.createElement('i')).style.background =
        `rgb(${group.color.map(value => Math.round(255 * value))})`;
      line.append(`${group.name} · ${group.size}`);
      line.appendChild(document.createElement('span')).className = 'dim';
    }
    byId('time').max = this.duration;
    this.fillLayers();
    this.fillMarks();
  }

  fillMarks() {
    byId('next').hidden = this.head.events.length === 0;
    byId('marks').replaceChildren();
    for (const event of this.head.events) {
      const mark = byId('marks').appendChild(document.createElement('i'));
      mark.style.left = `${this.duration ? (100 * event.time) / this.duration : 0}%`;
      mark.style.background = EVENT_COLORS[event.kind] ?? '#fff';
    }
  }

  listen() {
    const open = (id, other) => () => {
      byId(other).style.display = 'none';
      byId(id).style.display = byId(id).style.display === 'block' ? 'none' : 'block';
      byId('layer').setAttribute('aria-pressed', byId('layers').style.display === 'block');
    };
    const actions = {
      ...Object.fromEntries(this.head.layers.map(({ name, key }) => [key, () => this.toggleLayer(name)])),
      ' ': () => this.toggle(), ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1),
      Home: () => this.seek(0), End: () => this.seek(this.duration),
      '[': () => this.changeSpeed(-1), ']': () => this.changeSpeed(1),
      n: () => this.nextEvent(), z: () => this.overview(),
      h: open('help', 'layers'), L: open('layers', 'help'),
    };
    addEventListener('keydown', event => {
      if (!actions[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      actions[event.key]();
    });
    const buttons = {
      play: ' ', slower: '[', faster: ']', next: 'n', layer: 'L', all: 'z', keys: 'h',
    };
    for (const [id, key] of Object.entries(buttons))
      byId(id).addEventListener('click', event => {
        actions[key]();
        event.currentTarget.blur(); // the space bar is for playing
      });
    byId('time').addEventListener('input', event => this.seek(Number(event.target.value)));
    new ResizeObserver(() => {
      if (!this.camera.touched && this.followed < 0) this.camera.reset();
      this.stale = true;
    }).observe(this.canvas);
    this.listenToPointers(this.canvas);
  }

  listenToPointers(canvas) {
    const held = new Map();
    let moved = 0;
    const spread = () => {
      const [a, b] = [...held.values()];
      return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    };
    canvas.addEventListener('contextmenu', event => event.preventDefault());
    canvas.addEventListener('pointerdown', event => {
      canvas.setPointerCapture(event.pointerId);
      held.set(event.pointerId, event);
      moved = 0;
    });
    canvas.addEventListener('pointermove', event => {
      const before = held.get(event.pointerId);
      if (!before) return;
      const dx = event.clientX - before.clientX, dy = event.clientY - before.clientY;
      const apart = held.size === 2 ? spread() : 0;
      held.set(event.pointerId, event);
      moved += Math.hypot(dx, dy);
      if (held.size === 2) {
        this.camera.zoom(apart / Math.max(spread(), 1));
        this.camera.move(dx / 2, dy / 2);
      } else if (event.shiftKey || event.buttons & 6) {
        this.followed = -1;
        this.camera.move(dx, dy);
      } else this.camera.turn(dx, dy);
      this.stale = true;
    });
    for (const kind of ['pointerup', 'pointercancel'])
      canvas.addEventListener(kind, event => {
        held.delete(event.pointerId);
        if (kind === 'pointerup' && moved < 4) this.pick(event.clientX, event.clientY);
      });
    canvas.addEventListener('wheel', event => {
      // In a frame that was not clicked yet, the wheel scrolls the page around it.
      if (window !== window.parent && !document.hasFocus()) return;
      event.preventDefault();
      this.camera.zoom(Math.exp(clamp(event.deltaY, -200, 200) * 0.0015));
      this.stale = true;
    }, { passive: false });
  }
}

function clock(seconds) {
  const tenths = Math.floor(seconds * 10 + 1e-6);
  const rest = String(Math.floor((tenths % 600) / 10)).padStart(2, '0');
  return `${Math.floor(tenths / 600)}:${rest}.${tenths % 10}`;
}

unpack(byId('recording').textContent).then(data => {
  window.replay = new Replay(data);
}).catch(error => {
  byId('problem').style.display = 'grid';
  byId('problem').textContent =
    `This replay cannot be shown: ${error.message}. It needs a browser of 2023 or newer with WebGL 2.`;
});
