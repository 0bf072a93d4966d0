/** The clock, victory points and the two tracks, above the board. */
import { isBidding } from './bid.js';
import { cardTitle } from './cards.js';
import { byId, el, fill, mark, namedMark, sideClass, SIDES, signed } from './common.js';
import { facts } from './facts.js';
import { isFamily, scoredNow } from './family.js';
import { term } from './legend.js';

/** @param {number} count @param {number} now @param {string} name @param {number} side */
function pips(count, now, name, side) {
  return el('span', { class: 'pips', 'aria-hidden': 'true' }, ...Array.from({ length: count }, (_, i) =>
    el('i', { class: i + 1 === now ? `now ${sideClass(side)}` : i + 1 < now ? 'past' : '', title: `${name} ${i + 1}` }, i + 1)));
}

/** @param {any} state */
function clock(state) {
  const when = isFamily(state) && !state.round ? 'placement' : `round ${state.round}`;
  const words = isBidding(state) ? 'Bid for sides' : state.turn ? `Turn ${state.turn}, ${when}` : 'Set-up';
  const rounds = isFamily(state) ? 8 : Math.max(7, state.round);
  return el('div', { class: 'block clock' },
    el('span', { class: 'label' }, el('b', null, term('turn', words)), isBidding(state) || !state.turn ? null : el('span', null, mark(state.phasing), ` ${SIDES[state.phasing]}`)),
    pips(10, state.turn, 'turn', state.phasing), pips(rounds, state.round, 'round', state.phasing));
}

/** @param {any} state */
function points(state) {
  const at = Math.max(-20, Math.min(20, state.vp));
  const leader = state.vp ? `${SIDES[state.vp > 0 ? 0 : 1]} leads` : 'even';
  const bar = el('span', { class: `fill ${sideClass(state.vp > 0 ? 0 : 1)}` });
  bar.style.left = `${50 + Math.min(0, at) * 2.5}%`;
  bar.style.width = `${Math.abs(at) * 2.5}%`;
  return el('div', { class: 'block vp' },
    el('span', { class: 'label' }, el('b', { id: 'vp' }, term('vp', `VP ${signed(state.vp)}`)), el('span', null, leader)),
    el('span', { class: 'bar', 'aria-hidden': 'true' }, bar, el('span', { class: 'zero' })),
    el('span', { class: 'scale', 'aria-hidden': 'true' }, el('span', null, mark(1), ' 20'), el('span', null, '10'), el('span', null, '0'),
      el('span', null, '10'), el('span', null, '20 ', mark(0))));
}

/** @param {any} state */
function ussr(state) {
  return el('div', { class: 'block ussr' },
    el('span', { class: 'label' }, el('b', null, term('ussr', 'USSR')), el('span', null, facts.ussr[state.ussr][0])),
    el('span', { class: 'cells' }, ...facts.ussr.map(([name, vp], i) =>
      el('i', { class: i === state.ussr ? 'now' : '', title: vp ? `${name}: VP ${vp}` : name }, vp || '0'))));
}

/** @param {any} state */
function square(state) {
  const failed = SIDES.filter((_, side) => state.tried_box[side]);
  const past = (/** @type {number} */ box) => [0, 1].filter((side) => state.track[side] >= box);
  const isHeld = (/** @type {number} */ box) => past(box).length === 1 && box !== 3 && box !== 4;
  const words = facts.awards.map((award, i) => {
    const needs = SIDES.map((name, side) => `${name} needs ${facts.awardNeeds[side][i]} or more`).join(', ');
    return `Box ${i + 1}: ${award}; ${needs}${isHeld(i + 1) ? `; held by the ${SIDES[past(i + 1)[0]]}` : ''}${state.used_awards.includes(i + 1) ? '; used this turn' : ''}`;
  });
  const title = term('square', 'Tiananmen Square');
  title.dataset.more = [...words, ...failed.map((side) => `${side} +1: an attempt at the next box has failed`)].join('\n');
  return el('div', { class: 'block square' },
    el('span', { class: 'label' }, el('b', null, title), el('span', null, failed.map((side) => `${side[0]} +1`).join(' '))),
    el('span', { class: 'cells' }, ...facts.awards.map((award, i) => {
      const box = i + 1;
      return el('i', { class: `box${past(box).length ? ' past' : ''}${isHeld(box) ? ` held ${sideClass(past(box)[0])}e` : ''}`, title: words[i] },
        el('small', null, box), ...[0, 1].filter((side) => state.track[side] === box).map(namedMark), el('em', null, award));
    })));
}

/** A lasting event, which shows what the card says. @param {[number, string]} event card, and what it is bound to */
function chip([card, note]) {
  return el('span', { class: 'chip', 'data-card': card, tabindex: '0', role: 'note' },
    namedMark(facts.cards[card]?.owner ?? 2), ` ${cardTitle(card)}`, note ? el('span', { class: 'soft' }, ` ${note}`) : null);
}

/** @param {any} state */
export function showTracks(state) {
  const place = byId('tracks');
  const own = isFamily(state) ? [scoredNow(state)] : [ussr(state), square(state)];
  place.classList.toggle('of-family', isFamily(state));
  place.replaceChildren(clock(state), points(state), ...own);
  const lasting = state.in_play ?? [];
  fill(byId('lasting'), lasting.length ? el('b', null, 'Lasting') : null, ...lasting.map(chip));
}
