// @ts-check
/** Words of events, questions and results: the table that `dawn_env/events/wording.py` reads too, and the same forms. */
import { capital, counted, faceName, PLAYERS, SIDE_KEYS, SIDES } from './common.js';

/** @typedef {string | {by: string, cases: Record<string, any>, else?: any}} Text */

/** What Python calls a value. @param {any} value */
const named = (value) => (value === null || value === undefined ? 'None' : value === true ? 'True' : value === false ? 'False' : String(value));

/** @param {number} vp */
const leader = (vp) => SIDES[vp < 0 ? 1 : 0];

/** @param {any} side */
function levelWords(side) {
  if (side.level === 'none') return '0';
  const level = `${side.level} ${side.for_level}`;
  return side.battlegrounds ? `${level} + ${counted(side.battlegrounds, 'battleground')} = ${side.vp}` : level;
}

/** @param {import('./common.js').Facts} facts @param {number} card a card, an award or an operation */
export function cardName(facts, card) {
  return card < facts.cards.length ? `${card} ${facts.cards[card]?.title}` : facts.sources[card - facts.cards.length];
}

/** What an action is called. @param {import('./common.js').Facts} facts @param {string | null} text */
export function actionName(facts, text) {
  if (text === null) return facts.words.secret;
  const [family, ...rest] = text.split(':');
  const name = rest.join(':');
  if (family === 'card') return cardName(facts, Number(name));
  if (family === 'power') return faceName(name);
  return ['offer', 'suit'].includes(family) ? capital(name) : name || text.replaceAll('-', ' ');
}

/** @type {Record<string, (value: any, facts: import('./common.js').Facts, noun: string) => string>} */
const FORMS = {
  side: (value) => capital(value),
  other: (value) => SIDES[1 - SIDE_KEYS.indexOf(value)],
  card: (value, facts) => cardName(facts, value),
  'of-card': (value, facts) => (value.card ? ` by ${cardName(facts, value.card)}` : ''),
  cards: (value, facts) => value.map((/** @type {number} */ card) => cardName(facts, card)).join(', '),
  faces: (value) => value.map(faceName).join(', '),
  action: (value, facts) => actionName(facts, value),
  words: (value) => value.replaceAll('-', ' '),
  rank: (value) => (value ? ` ${value}` : ''),
  signed: (value) => `${value < 0 ? '-' : '+'} ${Math.abs(value)}`,
  count: (value, _, noun) => counted(value, noun),
  list: (value) => value.join(', '),
  vp: (value) => (value ? `${leader(value)} scores ${Math.abs(value)} VP` : '0 VP'),
  lead: (value) => (value ? `${leader(value)} leads by ${Math.abs(value)}` : 'level at 0'),
  final: (value) => (value ? `${leader(value)} +${Math.abs(value)}` : '0'),
  change: (value) => SIDE_KEYS.filter((key) => value[key]).map((key) => `${capital(key)} ${value[key].join(' → ')}`).join(', '),
  level: levelWords,
  extra: (value) => SIDE_KEYS.filter((key) => value[key]).map((key) => `${value[key]} for the ${capital(key)}`).join(', ') || 'none',
};

/**
 * The words of a text of the table for an event, a question or a result.
 * @param {import('./common.js').Facts} facts @param {string} name @param {any} fields
 * @returns {string}
 */
export function say(facts, name, fields) {
  /** @type {Text} */ let text = facts.words[name];
  while (typeof text !== 'string') text = text.cases[named(fields[text.by])] ?? text.else ?? '';
  return text.replace(/\{(\w*)(?::([\w-]+))?(?::([^}]+))?\}/g, (_, field, form, noun) => {
    const value = field ? fields[field] : fields;
    return form ? FORMS[form](value, facts, noun) : named(value);
  });
}

/** @param {import('./common.js').Facts} facts @param {any} event */
export function eventWords(facts, event) {
  return say(facts, 'event', event);
}

/** The pending decision as a question. @param {import('./common.js').Facts} facts @param {any} fields */
export function questionWords(facts, fields) {
  return capital(say(facts, 'about', fields) + say(facts, 'question', fields));
}

/**
 * How a game ended; `side`: for who played it.
 * @param {import('./common.js').Facts} facts @param {{result: string, reason: string}} over @param {number} vp @param {number} [side]
 */
export function outcomeWords(facts, over, vp, side = -1) {
  const won = over.result === 'draw' ? null : over.result === SIDE_KEYS[side];
  const title = side < 0 ? say(facts, 'result', over) : say(facts, 'own-result', { won });
  return `${title}: ${eventWords(facts, { event: 'end', ...over, vp })}`;
}

/** @param {number} faces of a die that succeed */
export function percent(faces) {
  return `${Math.round(faces * 100 / 6)} %`;
}

/** What a choice means, where its name does not say it. @param {import('./common.js').Facts} facts @param {any} state @param {string} text */
export function hintWords(facts, state, text) {
  if (text === 'pass') return say(facts, 'pass', { decision: state.decision });
  const odds = state.ask.odds[text];
  const opponents = ['opponent-event', 'check'].every((action) => state.ask.legal.includes(action));
  const words = opponents && say(facts, 'hint-then', { action: text }) || say(facts, 'hint', { action: text });
  const held = state.hands[state.side].faces ?? state.struggle?.hands[state.side] ?? {};
  const copies = held[text.replace('power:', '')] ?? 0;
  return [words, copies > 1 ? `you hold ${copies}` : '', odds === undefined ? '' : `${percent(odds)}${text.startsWith('power:') ? ' to take the initiative' : ''}`].filter(Boolean).join(', ');
}

/** An action without more about it. @param {import('./common.js').Facts} facts @param {string} decision @param {string} text */
export function optionWords(facts, decision, text) {
  return capital((text === 'pass' ? say(facts, 'pass', { decision }) : say(facts, 'hint', { action: text })) || actionName(facts, text));
}

/** A decision as a sentence. @param {import('./common.js').Facts} facts @param {any} state that is decided in @param {string} action */
export function decisionWords(facts, state, action) {
  const who = (state.bid && !state.bid.settled ? PLAYERS : SIDE_KEYS)[state.actor];
  return eventWords(facts, { event: 'decision', who, decision: state.decision, action });
}

/** Words of the button of a choice. @param {import('./common.js').Facts} facts @param {string} text @param {string} hint of `hintWords` */
export function choiceWords(facts, text, hint) {
  return capital(hint && !text.includes(':') ? hint : actionName(facts, text));
}

/** Name of a player for people. @param {import('./common.js').Facts} facts @param {string} spec */
export function playerName(facts, spec) {
  return facts.players[spec] ?? spec;
}
