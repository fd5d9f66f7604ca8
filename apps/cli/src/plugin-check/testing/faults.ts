import { randomBytes } from 'node:crypto'
import {
  type Asked,
  type Behaviour,
  citiesOf,
  countries,
  good,
  isFitting,
  type ManifestBody,
  offered,
  oneAtATime,
  PUBLIC_PEM,
  sealWith,
} from './own-plugin.ts'

const manifestWith =
  (change: (fieldType: ManifestBody['field_types'][number]) => object): Behaviour['manifest'] =>
  (manifest) => ({ ...manifest, field_types: manifest.field_types.map((one) => ({ ...one, ...change(one) })) })
const optionsOf = (question: Asked) => ({ options: offered(question), more: false })
/** A fault of the outputs of picks that fit. */
const withOutputs = (outputs: object): Partial<Behaviour> => ({
  outputs: ({ picks }) => (isFitting(picks) ? { outputs } : { picks_invalid: true }),
})
const many = Array.from({ length: 51 }, (_, at) => ({ id: `${at}`, label: `Country ${at}` }))
const wide = Array.from({ length: 50 }, (_, at) => ({ id: `${at}`, label: `${at}${'字'.repeat(195)}` }))
const FIXED_IV = randomBytes(12)
/** A reply key of the first question, which a faulty plugin keeps. */
const kept: { key?: string } = {}

/** Faults of plugins, each with the check that finds it and what the check says. */
export const faults: readonly (readonly [string, Partial<Behaviour>, string, string])[] = [
  ['a key with a capital', { manifest: manifestWith(() => ({ key: 'Place' })) }, 'manifest.rules', 'field_types.0.key'],
  ['a PEM as public key', { manifest: (one) => ({ ...one, public_key: PUBLIC_PEM }) }, 'manifest.rules', 'no PEM'],
  [
    'a list of rollovers that leads to another key',
    {
      manifest: (one) => ({
        ...one,
        key_rollovers: [{ previous_sha256: 'a'.repeat(64), public_key: 'k', signature: 's' }],
      }),
    },
    'manifest.rollovers',
    'do not lead to public_key',
  ],
  [
    'an unknown kind of block',
    { manifest: manifestWith(() => ({ blocks: [{ key: 'a', kind: 'select', label: 'A' }] })) },
    'manifest.rules',
    'must be one of search_select',
  ],
  [
    'a dependency on a later block',
    { manifest: manifestWith(({ blocks }) => ({ blocks: blocks.toReversed() })) },
    'manifest.rules',
    'no earlier block',
  ],
  [
    'an output with the key of a block',
    { manifest: manifestWith(() => ({ outputs: [{ key: 'city', type: 'text', label: 'C' }] })) },
    'manifest.rules',
    'also the key of a block',
  ],
  ['a manifest that is no JSON', { manifest: () => '<html>' }, 'manifest.rules', 'must be an object'],
  [
    'a manifest above 256 KiB',
    { manifest: (one) => ({ ...one, padding: 'x'.repeat(256 * 1024) }) },
    'manifest.size',
    'larger than 262144 bytes',
  ],
  [
    'a redirect',
    { before: () => ({ status: 301, body: '', headers: { location: 'https://elsewhere.example/' } }) },
    'call.redirect',
    'a redirect to https://elsewhere.example/',
  ],
  ['another status for an unknown key', { unknownKey: { status: 400, body: {} } }, 'call.wrong_key', 'answered 400'],
  [
    '409 without its reason',
    { unknownKey: { status: 409, body: { message: 'no key' } } },
    'call.wrong_key',
    'answered 409 without',
  ],
  [
    '5xx for malformed requests',
    { malformed: { status: 500, body: {} } },
    'call.malformed',
    'a body that is no JSON was answered 500',
  ],
  [
    '200 for malformed requests',
    { malformed: { status: 200, body: {} } },
    'call.malformed',
    'an unknown field type was answered 200',
  ],
  ['a reply in plain text', { seal: (text) => text }, 'reply.sealed', 'the reply is no wrapper'],
  [
    'a reply sealed with SHA-1',
    { seal: (text, key) => sealWith(text, key, 'sha1', randomBytes(12)) },
    'reply.sealed',
    'wrong_key',
  ],
  [
    'a reply for an earlier key',
    { seal: (text, key) => good.seal(text, (kept.key ??= key)) },
    'reply.sealed',
    'wrong_key',
  ],
  [
    'a reply under another name',
    { answer: (reply) => ({ status: 200, body: { result: reply } }) },
    'reply.sealed',
    'without the text "reply"',
  ],
  [
    'a member beside the reply',
    { answer: (reply, { picks }) => ({ status: 200, body: { reply, picks } }) },
    'reply.only',
    'also holds picks',
  ],
  [
    'an iv that is used twice',
    { seal: (text, key) => sealWith(text, key, 'sha256', FIXED_IV) },
    'reply.fresh',
    'the same iv',
  ],
  [
    'more than 50 options',
    { options: () => ({ options: many, more: true }) },
    'options.shape',
    'at most 50 entries, not 51',
  ],
  [
    'options without more',
    { options: (asked) => ({ options: optionsOf(asked).options }) },
    'options.shape',
    'more must be true or false',
  ],
  [
    'options without labels',
    { options: () => ({ options: [{ id: 'a' }], more: false }) },
    'options.shape',
    'options.0.label must be a text',
  ],
  [
    'an id twice',
    { options: () => ({ options: [...countries, ...countries], more: false }) },
    'options.shape',
    'the id "ch" twice',
  ],
  [
    'options above 64 KiB',
    { options: () => ({ options: wide, more: false, padding: 'x'.repeat(40_000) }) },
    'reply.sealed',
    'larger than',
  ],
  [
    'a query that is ignored',
    { options: (asked) => optionsOf({ ...asked, query: '' }) },
    'options.query',
    'in no label finds',
  ],
  [
    'a search in ids',
    {
      options: ({ query, ...asked }) => ({
        options: optionsOf({ ...asked, query: '' }).options.filter(({ id }) => id.includes(query)),
        more: false,
      }),
    },
    'options.query',
    'does not find',
  ],
  [
    'picks before it that are ignored',
    {
      options: (asked) =>
        asked.block === 'city' && citiesOf(asked.picks['country']).length === 0
          ? optionsOf({ ...asked, picks: { country: 'pt' } })
          : optionsOf(asked),
    },
    'options.depends',
    'that do not exist it offers 2 options',
  ],
  [
    'an output of another type',
    withOutputs({ zone: '3', since: null }),
    'outputs.shape',
    'outputs.zone must be a number',
  ],
  [
    'a date that does not exist',
    withOutputs({ zone: 3, since: '2021-02-29' }),
    'outputs.shape',
    'outputs.since must be a date',
  ],
  ['an output that is absent', withOutputs({ zone: 3 }), 'outputs.shape', 'declared and absent'],
  [
    'an undeclared output',
    withOutputs({ zone: 3, since: null, area: 1 }),
    'outputs.shape',
    'outputs.area is not declared',
  ],
  ['offered picks that are refused', { outputs: () => ({ picks_invalid: true }) }, 'outputs.shape', 'offered itself'],
  [
    'outputs for any pick',
    { outputs: () => ({ outputs: { zone: 3, since: null } }) },
    'outputs.picks_invalid',
    'an id of country that does not exist',
  ],
  [
    'picks that do not fit each other',
    {
      outputs: ({ picks }) =>
        [...citiesOf('ch'), ...citiesOf('pt')].some(({ id }) => id === picks['city']) &&
        countries.some(({ id }) => id === picks['country'])
          ? { outputs: { zone: 3, since: null } }
          : { picks_invalid: true },
    },
    'outputs.picks_invalid',
    'belongs to another country',
  ],
  ['a small limit of bodies', { bodyLimit: 16_000 }, 'call.large', 'was answered 413'],
  [
    'no limit of bodies',
    { before: (_, body) => (body.length > 150_000 ? { status: 200, body: {} } : null) },
    'call.too_large',
    'answered 200',
  ],
  ['one call at a time', { answer: oneAtATime() }, 'call.parallel', 'answered 503'],
  [
    'an answer that does not come',
    { answer: (reply, { op }) => (op === 'options' ? new Promise(() => {}) : { status: 200, body: { reply } }) },
    'call.time',
    'no answer within 3000 ms',
  ],
]
