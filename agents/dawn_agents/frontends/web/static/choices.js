/** The choices of a question: buttons for what is neither a space nor a card in hand, tiles for the cards. */
import { cardDetails, cardTile, cardTitle, roundsLeft, withCards } from './cards.js';
import { capital, counted, el, mark, refuse, SIDE_KEYS, SIDES, roomy, spaceOf } from './common.js';
import { facts } from './facts.js';
import { isFamily } from './family.js';
import { actionName, barredWords, effectWords, hintWords, oddsWords, say, whyNot } from './words.js';

/** @typedef {{open?: Set<string>, chosen?: string | null, best?: string, pick?: (action: string) => void, odds?: Record<string, string>,
 *   details?: (name: string) => Node | null}} How actions that can be taken, the one chosen, the best one; chances of success and details by space */

/** Cards in a hand that a question may be about. @param {any} state @returns {number[]} */
function held(state) {
  const hand = state.hands[state.side];
  return [...hand.cards, ...(hand.drawn ?? [])];
}

/** Whether a legal action is a card in hand. @param {any} state */
export function asksForCard(state) {
  return held(state).some((card) => state.ask.legal.includes(`card:${card}`));
}

/** Buttons for actions that are neither spaces nor cards in hand. @param {any} state @param {How} how */
export function choiceButtons(state, how) {
  const cards = new Set(held(state).map((card) => `card:${card}`));
  const texts = state.ask.legal.filter((/** @type {string} */ text) => !spaceOf(text) && !cards.has(text));
  const kind = texts.length > 4 ? `${texts[0].split(':')[0]}-choice` : 'choices';
  return el('div', { class: ['power-choice', 'points-choice'].includes(kind) ? kind : 'choices' },
    ...texts.map((/** @type {string} */ text, /** @type {number} */ at) => choice(state, how, text, at)));
}

/** @param {any} state @param {How} how @param {string} text @param {number} at */
function choice(state, how, text, at) {
  const hint = hintWords(state, text);
  const effect = effectWords(state, text);
  const isNamed = !hint || text.includes(':'); // else the hint stands for its name
  const number = text.startsWith('points:') ? text.slice(7) : String(at + 1);
  const key = number.length === 1 ? number : null;
  const open = how.open?.has(text) ?? false;
  const card = text.startsWith('card:') ? text.slice(5) : null;
  return el('button', { type: 'button', class: 'choice', 'data-card': card, 'data-action': open ? text : null, 'data-legal': open, 'data-key': key, 'aria-pressed': how.chosen === text ? 'true' : null, onclick: () => how.pick?.(text), disabled: !open },
    key && key !== text.slice(7) ? el('kbd', null, key) : null, ' ', text.startsWith('offer:') ? mark(SIDE_KEYS.indexOf(text.slice(6))) : null, el('b', null, capital(isNamed ? actionName(text) : hint)),
    hint && isNamed ? el('span', { class: 'soft' }, ` ${hint}`) : null, effect ? el('span', { class: 'effect' }, `${capital(effect)}.`) : null);
}

/** The hand of the viewer; a double click on a card chooses it. @param {any} state @param {How} how @param {(card: number) => void} onclick */
export function ownHand(state, how, onclick) {
  const [hand, theirs] = [state.hands[state.side], state.hands[1 - state.side]];
  const left = roundsLeft(state);
  const tile = (/** @type {number} */ card, /** @type {string} */ known) => {
    const action = `card:${card}`;
    const legal = how.open?.has(action);
    const odds = state.ask?.odds[action];
    const note = [known, left && (facts.cards[card]?.scores ?? -1) >= 0 ? `play this turn, ${counted(left, 'round')} left` : '', oddsWords(action, odds)].filter(Boolean).join(' · ');
    const why = how.open?.size ? barredWords(state.ask, action) : '';
    return cardTile(card, { ...asItStands(state, card), note, legal, why, chosen: how.chosen === action, hinted: how.best === action, onclick: () => {
      onclick(card);
      if (how.open?.size) refuse(cardTitle(card), whyNot(state.ask, action));
    }, ondblclick: legal ? () => how.pick?.(action) : undefined });
  };
  const known = [false, true].flatMap((deduced) => {
    const names = theirs.cards.filter((/** @type {number} */ card) => (state.deduced ?? []).includes(card) === deduced).map((/** @type {number} */ card) => `${card} ${cardTitle(card)}`);
    return names.length ? [', among them ', ...withCards(names.join(', '), true), ` (${say('known', { deduced })})`] : [];
  });
  return [el('h2', null, mark(state.side), ` Your hand`, el('span', { class: 'soft' }, ` ${counted(hand.size, 'card')} · `,
    mark(1 - state.side), ` ${SIDES[1 - state.side]} holds ${theirs.size}`, ...known)),
  el('div', { class: 'tiles' }, ...hand.cards.map((/** @type {number} */ card) => tile(card, hand.shown?.includes(card) ? 'known to the opponent' : '')),
    ...(hand.drawn ?? []).map((/** @type {number} */ card) => tile(card, 'drawn')),
    ...(hand.aside ?? []).map((/** @type {number} */ card) => tile(card, 'set aside')))];
}

/** A card in the hand of the viewer, as it stands now. @param {any} state @param {number} card */
export function heldDetails(state, card) {
  return cardDetails(card, asItStands(state, card));
}

/** A card as far as the viewer of a position knows it: in their hand as it stands now, else what is printed. @param {any} state if there is one @param {number} card */
export function anyCardDetails(state, card) {
  return state?.values && held(state).includes(card) ? heldDetails(state, card) : cardDetails(card, { plain: state ? isFamily(state) : false });
}

/** Value of a card, whether its event can occur, unless it would only be discarded, and why it cannot be chosen. @param {any} state @param {number} card */
function asItStands(state, card) {
  const [value, occurs] = state.over ? [] : state.values[card] ?? [];
  const discards = state.ask && state.decision !== 'card' && asksForCard(state);
  return { value, occurs: discards ? undefined : occurs, plain: isFamily(state), why: barredWords(state.ask, `card:${card}`) };
}

/** The card that was chosen, or else the one that the question is about; null if there is none. @param {any} state @param {string | null} action */
export function cardInQuestion(state, action) {
  if (action?.startsWith('card:')) return heldDetails(state, Number(action.slice(5)));
  const source = state.ask?.question.source ?? state.source;
  if (!facts.cards[source]) return null;
  return el('details', { open: roomy.matches && !state.struggle }, el('summary', null, `${source} ${cardTitle(source)}`), cardDetails(source));
}
