// What tests do and look at inside a page of the browser game; ``open_page`` loads it into every page.

const promptOf = () => document.getElementById('prompt')?.dataset ?? {};

window.inPage = {
    state: () => promptOf().state,

    /** The game is over, or something is asked after the state with the number `at`. */
    ready: (at) => promptOf().state === 'over' || (promptOf().state === 'asked' && promptOf().at !== at),

    /** As `ready`, or events are presented. */
    next: (at) => promptOf().state === 'presenting' || window.inPage.ready(at),

    /** What was decided in the state `at` has been answered. */
    answered: (at) => promptOf().at !== at && !['sent', 'waiting'].includes(promptOf().state),

    isOneOf: (states) => states.includes(promptOf().state),

    /** Selector and place of everything that can be chosen. */
    choices: () => ['#board [data-legal]', '#prompt [data-action]', '#hand [data-legal]'].flatMap(
        (selector) => [...document.querySelectorAll(selector)].map((_, place) => [selector, place])),

    /** Play a game to its end by random clicks: the questions asked, and which of `parts` (name: selector) were shown. */
    async wholeGame({ seed, parts }) {
        const prompt = document.getElementById('prompt'), questions = [], told = new Set();
        let at = '', state = seed;
        const random = (count) => { state = Math.imul(state, 1664525) + 1013904223 | 0; return (state >>> 8) % count; };
        const turn = () => new Promise((done) => {
            const look = () => {
                if (window.inPage.ready(at)) { watch.disconnect(); done(promptOf().state); }
            };
            const watch = new MutationObserver(look);
            watch.observe(prompt, { attributes: true });
            look();
        });
        while (await turn() !== 'over') {
            at = prompt.dataset.at;
            questions.push(document.getElementById('question').innerText);
            const choices = document.querySelectorAll('#board [data-legal], #prompt [data-action], #hand [data-legal]');
            choices[random(choices.length)].dispatchEvent(new MouseEvent('click', { bubbles: true }));
            for (const name in parts) if (document.querySelector(parts[name])) told.add(name);
            if (prompt.dataset.state === 'asked') prompt.querySelector('.strong[data-action]')?.click();
        }
        return [questions, [...told]];
    },

    /** Bytes of the page and all that it has loaded. */
    weight: () => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
        .reduce((sum, entry) => sum + entry.decodedBodySize, 0),

    hasFocus: () => document.activeElement !== document.body,

    /** Click the first choice at the moment when something is asked: the number of the state, and how many choices there were. */
    clickOnceAsked: () => new Promise((done) => {
        const watch = new MutationObserver(() => setTimeout(() => {
            if (promptOf().state !== 'asked') return;
            watch.disconnect();
            const choices = [...document.querySelectorAll('#board [data-legal], #prompt [data-action], #hand [data-legal]')];
            choices[0].dispatchEvent(new MouseEvent('click', { bubbles: true }));
            done([promptOf().at, choices.length]);
        }));
        watch.observe(document.getElementById('prompt'), { attributes: true });
    }),

    /** Note in `heard` what the live region says. */
    listen() {
        window.heard = [];
        const said = document.getElementById('said');
        new MutationObserver(() => window.heard.push(said.textContent)).observe(said, { childList: true });
    },

    /** Note in `states` the states of the prompt. */
    watchStates() {
        window.states = new Set();
        const prompt = document.getElementById('prompt');
        new MutationObserver(() => window.states.add(prompt.dataset.state)).observe(prompt, { attributes: true });
    },

    /** Number of elements inside the window that nothing covers. */
    seen: (selector) => [...document.querySelectorAll(selector)].filter((one) => {
        const box = one.getBoundingClientRect();
        const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return box.y >= 0 && box.bottom <= innerHeight && one.contains(at);
    }).length,

    /** Number of spaces that can be chosen which can be scrolled to where nothing covers them. */
    reached: () => [...document.querySelectorAll('#board [data-legal]')].filter((space) => {
        const country = space.getAttribute('aria-label').split(', in ')[1].split(',')[0];
        document.querySelector(`[data-enlarge='${country}']`)?.click();
        const held = space.querySelector('.held');
        window.scrollBy(0, held.getBoundingClientRect().y - innerHeight * 0.4);
        const box = held.getBoundingClientRect();
        return [0.2, 0.8].every((part) => space.contains(document.elementFromPoint(box.x + part * box.width, box.y + part * box.height)));
    }).length,

    /** The labels of all spaces on the map of a state with odds: their words, and whether one leaves its box or covers another. */
    async labels({ state, odds }) {
        const { showMap } = await import('/static/board.js');
        showMap(state, { odds, open: new Set(Object.keys(odds).map((name) => `space:${name}`)) });
        const box = (one) => one.getBoundingClientRect();
        const meet = (one, other) => one.x < other.right && other.x < one.right && one.y < other.bottom && other.y < one.bottom;
        const chances = [...document.querySelectorAll('#board .chance')];
        return [...document.querySelectorAll('#board [data-space]')].map((space) => {
            const frame = box(space.querySelector('.held'));
            const changes = [...space.querySelectorAll('.changes')];
            const parts = changes.flatMap((one) => [one, ...one.children]).map(box);
            return { words: [...changes, space.querySelector('.chance')].map((one) => one.textContent),
                outside: parts.some((one) => one.x < frame.x || one.right > frame.right || one.y < frame.y || one.bottom > frame.bottom),
                covered: parts.some((one) => chances.some((chance) => meet(one, box(chance)))) || (parts.length > 3 && meet(parts[0], parts[3])) };
        });
    },

    /** The colours of marks inside an element, by what they mean. */
    colours: (within) => Object.fromEntries(['legal', 'chosen', 'hinted', 'change', 'news', 'neighbour', 'price', 'chance'].flatMap((name) => {
        const mark = document.querySelector(`${within} .${name}`);
        return mark ? [[name, getComputedStyle(mark)[name === 'news' ? 'fill' : 'stroke']]] : [];
    })),

    /** The cells of the table of points, row by row. */
    async pointsTable(events) {
        const { pointsTable } = await import('/static/events.js');
        const rows = pointsTable(events).querySelectorAll('tbody tr');
        return [...rows].map((row) => [...row.children].map((one) => one.textContent));
    },

    async wordsOf(events) {
        const { eventWords } = await import('/static/words.js');
        return events.map((one) => eventWords(one));
    },

    roundsLeft: async (state) => (await import('/static/cards.js')).roundsLeft(state),

    /** Show an event as the page presents it. */
    async present(event) {
        const { Presenter } = await import('/static/events.js');
        const presenter = new Presenter(() => {});
        presenter.add([event], 0, 0);
        const box = document.getElementById('prompt');
        box.dataset.state = 'presenting';
        box.replaceChildren(...presenter.show());
    },

    /** Present the events of a game to a side without a click: times waited, and cards left. */
    async presentAll(events) {
        const { Presenter } = await import('/static/events.js');
        const [times, { setTimeout }] = [[], window];
        const presenter = new Presenter(() => { if (presenter.card) presenter.show(); });
        window.setTimeout = (goOn, time) => { times.push(time); queueMicrotask(goOn); };
        presenter.add(events, 0, 0);
        presenter.changed();
        await new Promise((done) => setTimeout(done));
        window.setTimeout = setTimeout;
        return [times, presenter.queue.length];
    },

    /** What can be seen of a map painted for `state` and of a drawing of the same position. */
    async painted({ state, drawing }) {
        const { paint, putBoard } = await import('/static/painting.js');
        const { boardAddress } = await import('/static/facts.js');
        const [place, wanted] = [document.createElement('div'), document.createElement('div')];
        await putBoard(place, boardAddress(state));
        putBoard(place, boardAddress(state));
        paint(place, state);
        wanted.innerHTML = drawing;
        const keys = ['transform', 'class', 'x', 'y', 'width', 'height', 'rx', 'fill', 'x1', 'y1', 'x2', 'y2'];
        const value = (text) => (text === null || text === '' || Number.isNaN(Number(text)) ? text || 0 : Number(text));
        const shape = (one) => [one.tagName, ...keys.map((key) => value(one.getAttribute(key)))];
        const words = (one) => one.textContent.replace(/\s/g, '');
        const space = (group) => {
            const title = group.querySelector('title');
            const told = group.dataset.words ?? title.textContent;
            title?.remove();
            return [told, group.dataset.holder, shape(group), words(group), group.querySelectorAll('.gone').length,
                [...group.querySelectorAll('.held > *')].map(shape)];
        };
        const of = (root, selector, read) => [...root.querySelectorAll(selector)].map(read);
        const seen = (root) => [of(root, '[data-space]', space), of(root, '[data-panel] rect', shape), of(root, '[data-country]', words),
            of(root, '[data-scored-now]', (one) => one.dataset.scoredNow), of(root, 'line', shape).map(String).sort(),
            of(root, 'rect.moving', (one) => [shape(one.parentElement).slice(0, 2), shape(one), words(one.parentElement)])];
        for (const path of place.querySelectorAll('.path')) path.classList.remove('path');
        for (const end of place.querySelectorAll('.end')) end.removeAttribute('class');
        return [seen(place), seen(wanted)];
    },
};
