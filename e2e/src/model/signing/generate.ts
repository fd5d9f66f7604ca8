import { isDeepStrictEqual } from 'node:util'
import { listOf } from '@sealpost/testkit'
import { type BadAct, TOO_LONG } from '../flows/bad-turns.ts'
import { userOf } from '../flows/cast.ts'
import { mustSucceed } from '../flows/doors/door.ts'
import { kindOf } from '../flows/field-values.ts'
import { Mismatch } from '../flows/mismatch.ts'
import { expectRefused, type Running } from '../flows/play.ts'
import { valuesWith } from '../flows/reference.ts'
import { pickByKey } from '../flows/refusals.ts'
import { rowsOfRun } from '../flows/stored-rows.ts'
import { fieldsOf, nodeOf } from '../flows/written.ts'
import { generated, heldAt, type MadeOutput, madeAt, sourceOf } from './documents.ts'
import { newKey, outcomeOf, post, RUNS } from './hand-over.ts'
import { envelopeOf, paperOf, tagsOf } from './papers.ts'
import type { Filling } from './recorded-fill.ts'

interface HandOver {
  readonly otk: string
  readonly values: string
  readonly inputs: readonly { readonly source_key: string; readonly input: string }[]
}

/** Makes the documents of a run at its last step; false when no rule matches, which leaves it as it is. */
export async function generateDocuments(play: Running, filling: Filling): Promise<boolean> {
  const leaf = nodeOf(play.flow, play.state.node)
  const held = heldSources(play)
  const made = madeAt(leaf, valuesWith(play.flow, play.state, new Map(), play.today), held)
  const sources = heldAt(leaf, held)
  const acts = badActs(play, sources, made)
  for (let turn = 0; turn < 2; turn += 1) {
    const bad = pickByKey(play.dice, acts, play.wanted)
    await expectRefused(play, bad, () => rowsOfRun(play), bad.act)
  }
  const handOver = await prepare(play, sources)
  const generate = () => post(play, leaf.party, '/generate', handOver)
  if (made.length === 0) {
    const nothing = { name: 'no rule matches', key: 'flows.generation_failed' }
    await expectRefused(play, nothing, () => rowsOfRun(play), generate)
    return false
  }
  const body = mustSucceed(await generate())
  if (!isDeepStrictEqual(mustSucceed(await generate()), body)) throw new Mismatch('a second call makes other documents')
  const documents = listOf(body['documents'])
  play.state = generated(play.flow, play.state, made, (output, party) => {
    const found = documents.filter(({ output_key, party_key }) => output_key === output && party_key === party)
    if (found.length !== 1) throw new Mismatch(`${found.length} copies of ${output} for ${party}`)
    return String(found[0]?.['document_id'])
  })
  checkAnswer(play, documents)
  checkRecorded(play, made, filling)
  play.counts.add('documents', documents.length)
  return true
}

/** The files that customers gave, and those that they had shared at the start. */
function heldSources({ state, start }: Running): ReadonlySet<string> {
  return new Set([
    ...state.answers.filter(({ isFile }) => isFile).map(({ slug }) => `field:${slug}`),
    ...start.sources.map(({ source_key: key }) => key),
  ])
}

/** `broken`: the source whose file is no PDF. */
async function prepare(play: Running, sources: readonly string[], broken: string | null = null): Promise<HandOver> {
  const { otk, seal } = await newKey()
  const { party } = nodeOf(play.flow, play.state.node)
  const inputs: { source_key: string; input: string }[] = []
  for (const source_key of sources) {
    const value = await seal(source_key === broken ? '{}' : envelopeOf(paperOf(play.flow)))
    const { input } = mustSucceed(await post(play, party, '/generate/inputs', { source_key, value }))
    inputs.push({ source_key, input: String(input) })
  }
  const values = Object.fromEntries(play.state.answers.map(({ slug, text }) => [slug, text]))
  return { otk, values: await seal(JSON.stringify(values)), inputs }
}

/** Each hands over anew: the inputs of a refused call go with it. */
function badActs(play: Running, sources: readonly string[], made: readonly MadeOutput[]): readonly BadAct[] {
  const { flow, state, cast, other, runId, lane } = play
  const { party } = nodeOf(flow, state.node)
  const generate =
    (wrongly: (handOver: HandOver) => object | Promise<object>, by = party) =>
    async () =>
      post(play, by, '/generate', await wrongly(await prepare(play, sources)))
  const stranger = flow.parties.find(({ key }) => userOf(cast, key) !== userOf(cast, party))
  const none = { source_key: 'field:none', input: 'gi_0' }
  const key = 'flows.generate_inputs_mismatch'
  const broken = brokenSource(made)
  return [
    {
      name: 'another key',
      key: 'flows.generation_failed',
      act: generate(async (own) => ({ ...own, otk: (await newKey()).otk })),
    },
    { name: 'an input too many', key, act: generate((own) => ({ ...own, inputs: [...own.inputs, none] })) },
    ...(sources.length > 0 ? [{ name: 'no inputs', key, act: generate((own) => ({ ...own, inputs: [] })) }] : []),
    ...(broken === null
      ? []
      : [
          {
            name: 'an input that is no PDF',
            key: 'flows.source_pdf_invalid',
            act: async () => post(play, party, '/generate', await prepare(play, sources, broken)),
          },
        ]),
    ...(stranger === undefined
      ? []
      : [
          { name: 'documents by another party', key: 'flows.not_your_turn', act: generate((own) => own, stranger.key) },
        ]),
    {
      name: "documents of another service's run",
      key: 'flows.run_not_found',
      act: async () => {
        const body = await prepare(play, sources)
        return outcomeOf(other.service.data('POST', `${RUNS}/${runId}/generate`, { body }))
      },
    },
    {
      name: 'an input that is too large',
      key: 'documents.too_large',
      act: () => post(play, party, '/generate/inputs', { source_key: 'field:none', value: TOO_LONG }),
    },
    {
      name: 'a document that is not made yet',
      key: 'flows.no_document',
      act: () => outcomeOf(lane.service.data('GET', `${RUNS}/${runId}/documents/paper_0/file`)),
    },
  ]
}

/** The source of the first output, when that is a participant's PDF; a template before it would be filled and recorded. */
function brokenSource(made: readonly MadeOutput[]): string | null {
  return sourceOf(made[0]?.rule ?? noRule)
}

const noRule = { condition: null, languages: 'all' } as const

/** The copies in the order of the line, those of parties that only receive them last. */
function checkAnswer({ state }: Running, documents: readonly Readonly<Record<string, unknown>>[]): void {
  if (documents.length !== state.copies.length)
    throw new Mismatch(`${documents.length} copies, not ${state.copies.length}`)
  for (const [place, { output_key, party_key, position }] of documents.entries()) {
    const copy = state.copies.find(({ outputKey, party }) => outputKey === output_key && party === party_key)
    const isInLine = position === null || position === place + 1
    if (copy?.position !== position || !isInLine)
      throw new Mismatch(`copy ${place} is at ${String(position)}, not ${String(copy?.position)}`)
  }
}

/** What the fill was given, for the types that are printed as they are; a file prints nothing. No more than the tags name. */
function checkRecorded({ flow, state }: Running, made: readonly MadeOutput[], { recorded }: Filling): void {
  if (recorded.length === 0) return
  if (recorded.length !== made.length) throw new Mismatch(`${recorded.length} fills for ${made.length} outputs`)
  const types = new Map(flow.nodes.flatMap(fieldsOf).map(({ slug, field_type }) => [slug, kindOf(field_type)]))
  const tags = new Set(tagsOf(flow))
  for (const texts of recorded) {
    const unnamed = [...texts.keys()].filter((key) => !tags.has(key))
    if (unnamed.length > 0) throw new Mismatch(`the fill was given ${unnamed.join(', ')}`)
    for (const { slug, text } of state.answers) {
      if (!tags.has(slug)) continue
      const kind = types.get(slug)
      if (kind === 'many' || kind === 'composite') continue
      const wanted = kind === 'file' ? '' : text
      if ((texts.get(slug) ?? '') !== wanted)
        throw new Mismatch(`${slug} is printed as ${String(texts.get(slug))}, not ${wanted}`)
    }
  }
}
