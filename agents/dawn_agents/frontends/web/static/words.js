/** Words of events, questions and results: the table that `dawn_env/events/wording.py` reads too, and the same forms. */
import { capital, counted, faceName, PLAYERS, SIDE_KEYS, SIDES, spaceOf } from './common.js';
import { facts, spaceNumber } from './facts.js';

/** @typedef {string | any[] | {by: string, cases: Record<string, any>, else?: any}} Text */

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

/** @param {number} card a card, an award or an operation */
function cardName(card) {
  return card < facts.cards.length ? `${card} ${facts.cards[card]?.title}` : facts.sources[card - facts.cards.length];
}

/** What an action is called. @param {string | null} text */
export function actionName(text) {
  if (text === null) return facts.words.secret;
  const [family, ...rest] = text.split(':');
  const name = rest.join(':');
  if (family === 'card') return cardName(Number(name));
  if (family === 'power') return faceName(name);
  return ['offer', 'suit'].includes(family) ? capital(name) : name || text.replaceAll('-', ' ');
}

/** What is added to a die. @param {string | number} of a key, or a card */
export function partWords(of) {
  return say('part', { of });
}

/** @type {Record<string, (value: any, noun: string) => string>} */
const FORMS = {
  side: capital,
  other: (value) => SIDES[1 - SIDE_KEYS.indexOf(value)],
  card: cardName,
  'of-card': (value) => (value.card ? ` by ${cardName(value.card)}` : ''),
  cards: (value) => value.map(cardName).join(', '),
  faces: (value) => value.map(faceName).join(', '),
  action: actionName,
  words: (value) => value.replaceAll('-', ' '),
  rank: (value) => (value ? ` ${value}` : ''),
  parts: (value) => value.map((/** @type {[string | number, number]} */ [of, number]) => ` ${number < 0 ? '-' : '+'} ${Math.abs(number)} (${partWords(of)})`).join(''),
  count: counted,
  list: (value) => value.join(', '),
  vp: (value) => (value ? `${leader(value)} scores ${Math.abs(value)} VP` : '0 VP'),
  lead: (value) => (value ? `${leader(value)} leads by ${Math.abs(value)}` : 'level at 0'),
  final: (value) => (value ? `${leader(value)} +${Math.abs(value)}` : '0'),
  change: (value) => SIDE_KEYS.filter((key) => value[key]).map((key) => `${capital(key)} ${value[key].join(' → ')}`).join(', '),
  capped: ({ sum, result }) => (sum === result ? `${sum}` : `${sum}, counts as ${result}`),
  level: levelWords,
  extra: (value) => SIDE_KEYS.filter((key) => value[key]).map((key) => `${value[key]} for the ${capital(key)}`).join(', ') || 'none',
};

/** The words of a text of the table for an event, a question or a result. @param {string} name @param {any} fields @returns {string} */
export function say(name, fields) {
  return filled(facts.words[name], fields);
}

/** A text of the table with its fields filled in. @param {Text} text @param {any} fields @returns {string} */
function filled(text, fields) {
  if (Array.isArray(text)) return text.map((part) => filled(part, fields)).join('');
  if (typeof text !== 'string') return filled(text.cases[named(fields[text.by])] ?? text.else ?? '', fields);
  return text.replace(/\{(\w*)(?::([\w-]+))?(?::([^}]+))?\}/g, (_, field, form, noun) => {
    const value = field ? fields[field] : fields;
    return form ? FORMS[form](value, noun) : named(value);
  });
}

/** @param {any} event */
export function eventWords(event) {
  return say('event', event);
}

/** The pending decision as a question. @param {any} fields */
export function questionWords(fields) {
  return capital(say('about', fields) + say('question', fields));
}

/** The rule against a space or a card of the viewer; empty where it can be chosen, and where no other can. @param {any} ask @param {string} action */
export function barredWords(ask, action) {
  const space = spaceOf(action);
  const [reasons, wanted] = space ? [ask?.barred, spaceNumber(space)] : [ask?.barred_cards, action];
  const found = reasons?.find((/** @type {[any, any[]]} */ [, barred]) => barred.includes(wanted));
  return found ? capital(say('barred', found[0])) : '';
}

/** Why a click on a space or a card does nothing: a rule, or the question is about something else. @param {any} ask @param {string} action */
export function whyNot(ask, action) {
  const [family] = action.split(':');
  if (!ask || ask.legal.includes(action)) return '';
  const isAsked = ask.legal.some((/** @type {string} */ text) => text.startsWith(`${family}:`));
  return isAsked ? barredWords(ask, action) : capital(say('barred', { barred: family === 'space' ? 'no-space' : 'no-card' }));
}

/** How a game ended; `side`: for who played it. @param {{result: string, reason: string}} over @param {number} vp @param {number} [side] */
export function outcomeWords(over, vp, side = -1) {
  const won = over.result === 'draw' ? null : over.result === SIDE_KEYS[side];
  const title = side < 0 ? say('result', over) : say('own-result', { won });
  return `${title}: ${eventWords({ event: 'end', ...over, vp })}`;
}

/** @param {number} faces of a die that succeed */
export function percent(faces) {
  return oddsWords('', faces);
}

/** The chance of an action, and of what. @param {string} action @param {number | undefined} faces of a die that succeed, if one is rolled */
export function oddsWords(action, faces) {
  return faces === undefined ? '' : say('odds', { family: action.split(':')[0], percent: Math.round(faces * 100 / 6) });
}

/** What a power struggle card does. @param {string} face */
export function faceHelp(face) {
  const [kind, rank] = face.split('-');
  return capital(say('face', { kind: kind === 'leader' ? kind : face, rank }));
}

/** What a choice means, where its name does not say it. @param {any} state @param {string} text */
export function hintWords(state, text) {
  if (text === 'pass') return say('pass', { decision: state.decision });
  const odds = state.ask.odds[text];
  const opponents = ['opponent-event', 'check'].every((action) => state.ask.legal.includes(action));
  const words = opponents && say('hint-then', { action: text }) || say('hint', { action: text });
  const held = state.hands[state.side].faces ?? state.struggle?.hands[state.side] ?? {};
  const copies = held[text.replace('power:', '')] ?? 0;
  return [words, copies > 1 ? `you hold ${copies}` : '', oddsWords(text, odds)].filter(Boolean).join(', ');
}

/** What a choice does that cannot be taken back; empty where there is nothing to say. @param {any} state @param {string} text */
export function effectWords(state, text) {
  const effect = state.ask?.effects[text];
  return effect ? say('consequence', effect) : '';
}

/** An action without more about it. @param {string} decision @param {string} text */
export function optionWords(decision, text) {
  return capital((text === 'pass' ? say('pass', { decision }) : say('hint', { action: text })) || actionName(text));
}

/** A decision as a sentence. @param {any} state that is decided in @param {string} action */
export function decisionWords(state, action) {
  const who = (state.bid && !state.bid.settled ? PLAYERS : SIDE_KEYS)[state.actor];
  return eventWords({ event: 'decision', who, decision: state.decision, action });
}

/** Name of a player for people. @param {string} spec */
export function playerName(spec) {
  return facts.players[spec] ?? spec;
}
