import type { FieldType } from '@sealpost/plugin'
import { type Asking, parseObject, type ReplyKey, sealFor } from './asking.ts'
import { isRefusal, type Peer, wordsOf } from './peer.ts'
import type { Report } from './report.ts'

const OTHER_TOKEN = 'not-the-token-of-this-plugin'

interface Parts {
  readonly peer: Peer
  readonly report: Report
  readonly asking: Asking
  readonly replyKey: ReplyKey
}

/** Whether the token guards both routes; only where the plugin has one. */
export async function checkToken({ peer, report, asking }: Parts): Promise<void> {
  report.begin('token.required')
  const sealed = await sealFor(asking.platform, asking.manifest.public_key, '{}')
  for (const [how, token] of [
    ['without the token', null],
    ['with another token', OTHER_TOKEN],
  ] as const) {
    for (const [what, answer] of [
      ['GET /manifest', await peer.get('/manifest', token)],
      ['POST /call', await peer.call(sealed, token)],
    ] as const) {
      if (answer.kind === 'answered' && (answer.status === 401 || answer.status === 403)) continue
      const remedy = 'Compare the header "Authorization: Bearer <token>" in constant time and answer 401 otherwise.'
      report.fail('token.required', `${what} ${how} was ${wordsOf(answer)}`, remedy)
    }
  }
}

/** A question for a key that the plugin does not have, such as the reply key: so it arrives after a rotation. */
export async function checkWrongKey({ peer, report, asking, replyKey }: Parts, question: string): Promise<void> {
  report.begin('call.wrong_key')
  const answer = await peer.call(await sealFor(asking.platform, replyKey.publicKey, question))
  const error = answer.kind === 'answered' ? parseObject(answer.text)?.['error'] : undefined
  if (answer.kind === 'answered' && answer.status === 409 && error === 'key_unknown') return
  const how =
    answer.kind === 'answered' && answer.status === 409
      ? 'answered 409 without "error": "key_unknown"'
      : wordsOf(answer)
  const remedy =
    'Answer 409 {"error":"key_unknown"} when a question does not open: then the forwarder reads the manifest again, and clients use the new key.'
  report.fail('call.wrong_key', `a question sealed to another key was ${how}`, remedy)
}

/** Requests that no client of ours sends, but that a stranger can. */
export async function checkMalformed({ peer, report, asking, replyKey }: Parts, fieldType: FieldType): Promise<void> {
  report.begin('call.malformed')
  const { platform, manifest } = asking
  const question = {
    field_type: fieldType.key,
    op: 'outputs',
    picks: {},
    values: {},
    inputs: {},
    reply_key: replyKey.publicKey,
  }
  const sealed = (content: unknown) =>
    sealFor(platform, manifest.public_key, typeof content === 'string' ? content : JSON.stringify(content))
  const wrapped = async (content: unknown) => JSON.stringify({ request: await sealed(content) })
  const damaged = (await sealed(question)).replace(
    /"d":"(.)/,
    (_, first: string) => `"d":"${first === 'A' ? 'B' : 'A'}`,
  )
  const requests: readonly (readonly [string, string])[] = [
    ['a body that is no JSON', '{"request":'],
    ['a body without request', '{}'],
    ['a request that is a number', '{"request":7}'],
    ['a request that is no wrapper', '{"request":"plain text"}'],
    ['a damaged wrapper', JSON.stringify({ request: damaged })],
    ['a sealed text that is no JSON', await wrapped('no json')],
    ['a question that is a list', await wrapped([])],
    ['an unknown field type', await wrapped({ ...question, field_type: 'there_is_no_such_type' })],
    ['an unknown op', await wrapped({ ...question, op: 'delete' })],
    ['a question without reply_key', await wrapped({ ...question, reply_key: undefined })],
    ['a reply_key that is no key', await wrapped({ ...question, reply_key: 'bm8ga2V5' })],
    [
      'options of a block that does not exist',
      await wrapped({ ...question, op: 'options', block: '__proto__', query: '' }),
    ],
  ]
  for (const [what, body] of requests) {
    const answer = await peer.post(body)
    if (isRefusal(answer)) continue
    const remedy =
      'Check every member before using it, and answer 400: a 5xx looks like an outage, a 200 like an answer.'
    report.fail('call.malformed', `${what} was ${wordsOf(answer)}`, remedy)
  }
}

/** Sizes at both sides of the limit. */
export async function checkSizes({ peer, report, asking, replyKey }: Parts, asked: Valid): Promise<void> {
  const { platform, manifest } = asking
  const question = parseObject(asked.question(replyKey.publicKey))
  report.begin('call.large')
  const large = JSON.stringify({ ...question, unknown_member: 'x'.repeat(46_000) })
  const answered = await peer.call(await sealFor(platform, manifest.public_key, large))
  if (answered.kind === 'failed' || answered.status !== 200) {
    const remedy = 'Accept bodies of 66 KiB, and ignore members that you do not know: later versions may add some.'
    report.fail('call.large', `a question of 62 KiB with an unknown member was ${wordsOf(answered)}`, remedy)
  }
  report.begin('call.too_large')
  const refused = await peer.post(JSON.stringify({ request: 'x'.repeat(200_000) }))
  const isBroken = refused.kind === 'failed' && refused.failure.kind !== 'timeout'
  if (!isRefusal(refused) && !isBroken) {
    const remedy = 'Stop reading after 66 KiB and answer 413: a stranger can send a large body.'
    report.fail('call.too_large', `a body of 200,000 bytes was ${wordsOf(refused)}`, remedy)
  }
  const after = await peer.get('/manifest')
  if (after.kind === 'failed' || after.status !== 200) {
    report.fail(
      'call.too_large',
      `after a large body GET /manifest was ${wordsOf(after)}`,
      'A large body must not end the process.',
    )
  }
}

/** A question that the plugin has answered before. */
export interface Valid {
  readonly question: (replyKey: string) => string
}

/** As many as the forwarder has in flight for one plugin. */
export async function checkParallel({ peer, report, asking, replyKey }: Parts, asked: Valid): Promise<void> {
  report.begin('call.parallel')
  const { platform, manifest } = asking
  const questions = await Promise.all(
    Array.from({ length: 8 }, () => sealFor(platform, manifest.public_key, asked.question(replyKey.publicKey))),
  )
  const answers = await Promise.all(questions.map((sealed) => peer.call(sealed)))
  const bad = answers.filter((answer) => answer.kind === 'failed' || answer.status !== 200)
  const [first] = bad
  if (first === undefined) return
  const happened = `${bad.length} of 8 questions at the same time were ${wordsOf(first)}`
  report.fail('call.parallel', happened, 'The forwarder has up to 8 calls in flight: serve them side by side.')
}
