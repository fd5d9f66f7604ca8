import {
  type Block,
  type FieldType,
  type Filled,
  parseOptionsReply,
  parseOutputsReply,
  type PluginOption,
  type Problem,
} from '@sealpost/plugin'
import type { Asking } from './asking.ts'
import type { CheckName, Report } from './report.ts'

const NO_SUCH_ID = 'no-such-option-7f3a'
const TYPED = { text: 'Sample', number: 12, date: '2026-01-15' } as const
/** Picks of earlier blocks that are tried until a later block has options. */
const MOST_TRIED = 3

interface Parts {
  readonly asking: Asking
  readonly report: Report
}

/** Fills the blocks as a person does and asks for the outputs. Null when a block could not be filled. */
export async function checkFieldType(
  parts: Parts,
  fieldType: FieldType,
  inputs: Filled['inputs'],
): Promise<Filled | null> {
  const filled = await fillBlocks(parts, fieldType, { picks: new Map(), values: new Map(), inputs }, 0)
  if (filled === null) return null
  await checkOutputs(parts, fieldType, filled)
  await checkUnknownPicks(parts, fieldType, filled)
  await checkCrossedPicks(parts, fieldType, filled)
  return filled
}

/** Depth first: the first options of a block may lead to a later block without any. */
async function fillBlocks(parts: Parts, fieldType: FieldType, filled: Filled, at: number): Promise<Filled | null> {
  const block = fieldType.blocks[at]
  if (block === undefined) return filled
  if (block.kind !== 'search_select') {
    const values = new Map(filled.values).set(block.key, TYPED[block.kind])
    return fillBlocks(parts, fieldType, { ...filled, values }, at + 1)
  }
  const options = await checkOptions(parts, fieldType, block, filled)
  if (options === null) return null
  for (const { id } of options.slice(0, MOST_TRIED)) {
    const next = await fillBlocks(
      parts,
      fieldType,
      { ...filled, picks: new Map(filled.picks).set(block.key, id) },
      at + 1,
    )
    if (next !== null) return next
  }
  if (options.length === 0) noteEmpty(parts, fieldType, block)
  return null
}

function noteEmpty({ report }: Parts, fieldType: FieldType, block: Block): void {
  const wired = fieldType.inputs.map(({ key }) => key)
  const remedy =
    wired.length === 0
      ? 'An empty query lists all options.'
      : `With sample inputs there may be none: give values, such as --input ${wired[0] ?? 'key'}=VALUE.`
  report.warn(
    'options.shape',
    'the list is empty, so nothing after it was checked',
    remedy,
    `${fieldType.key}.${block.key}`,
  )
}

async function checkOptions(
  parts: Parts,
  fieldType: FieldType,
  block: Block,
  filled: Filled,
): Promise<readonly PluginOption[] | null> {
  const subject = `${fieldType.key}.${block.key}`
  const all = await readOptions(parts, fieldType, block, filled, '')
  if (all === null) return null
  if (all === 'picks_invalid') {
    const happened = 'picks that the plugin has offered itself were answered picks_invalid'
    parts.report.fail(
      'options.shape',
      happened,
      'Offer only options with which the later blocks can be filled.',
      subject,
    )
    return null
  }
  await checkQuery(parts, fieldType, block, filled, all)
  if ((block.depends_on ?? []).length > 0) await checkDependence(parts, fieldType, block, filled)
  return all
}

async function checkQuery(
  { report, ...parts }: Parts,
  fieldType: FieldType,
  block: Block,
  filled: Filled,
  all: readonly PluginOption[],
): Promise<void> {
  const subject = `${fieldType.key}.${block.key}`
  const [wanted] = all.toReversed()
  if (wanted === undefined) return
  report.begin('options.query', subject)
  const found = await readOptions({ report, ...parts }, fieldType, block, filled, wanted.label)
  if (Array.isArray(found) && !found.some(({ id }) => id === wanted.id)) {
    const happened = `the query ${JSON.stringify(wanted.label)} does not find the option of that label`
    report.fail('options.query', happened, 'Search in labels; ignore case.', subject)
  }
  const none = await readOptions({ report, ...parts }, fieldType, block, filled, 'zzqxj-no-label-has-this')
  if (Array.isArray(none) && none.length > 0) {
    const happened = `a query that is in no label finds ${none.length} options`
    report.fail(
      'options.query',
      happened,
      'Return only options that the query matches; an empty query lists all.',
      subject,
    )
  }
}

/** Without its picks, and with picks that do not exist, a dependent block has nothing to offer. */
async function checkDependence(
  { report, asking }: Parts,
  fieldType: FieldType,
  block: Block,
  filled: Filled,
): Promise<void> {
  const subject = `${fieldType.key}.${block.key}`
  report.begin('options.depends', subject)
  const needed = (block.depends_on ?? []).filter((key) => filled.picks.has(key))
  const unknown = new Map([...filled.picks].map(([key, id]) => [key, needed.includes(key) ? NO_SUCH_ID : id]))
  const without = new Map([...filled.picks].filter(([key]) => !needed.includes(key)))
  for (const [how, picks] of [
    ['that do not exist', unknown],
    ['that are missing', without],
  ] as const) {
    if (needed.length === 0) continue
    const found = await readOptions({ report, asking }, fieldType, block, { ...filled, picks }, '')
    if (Array.isArray(found) && found.length > 0) {
      const happened = `with picks of ${needed.join(', ')} ${how} it offers ${found.length} options`
      const remedy = 'Check the picks that depends_on names first; without valid ones answer an empty list.'
      report.fail('options.depends', happened, remedy, subject)
    }
  }
}

async function readOptions(
  { asking, report }: Parts,
  fieldType: FieldType,
  { key: block }: Block,
  filled: Filled,
  query: string,
): Promise<PluginOption[] | 'picks_invalid' | null> {
  const subject = `${fieldType.key}.${block}`
  const text = await asking.ask({ op: 'options', block, query }, fieldType, filled, subject)
  if (text === null) return null
  report.begin('options.shape', subject)
  const parsed = parseOptionsReply(text)
  if (parsed.ok) return parsed.value.kind === 'options' ? [...parsed.value.options] : 'picks_invalid'
  noteProblems(
    report,
    'options.shape',
    parsed.refusal,
    'Reply {"options":[{"id","label"}],"more"}, at most 50, then more: true.',
    subject,
  )
  return null
}

async function checkOutputs({ asking, report }: Parts, fieldType: FieldType, filled: Filled): Promise<void> {
  const subject = fieldType.key
  const text = await asking.ask({ op: 'outputs' }, fieldType, filled, subject)
  if (text === null) return
  report.begin('outputs.shape', subject)
  const parsed = parseOutputsReply(text, fieldType.outputs)
  if (!parsed.ok) {
    const remedy = 'Reply {"outputs":{key: value or null}} with the types of the manifest; dates are YYYY-MM-DD.'
    noteProblems(report, 'outputs.shape', parsed.refusal, remedy, subject)
  } else if (parsed.value.kind === 'picks_invalid') {
    const happened = 'picks that the plugin has offered itself were answered picks_invalid'
    report.fail(
      'outputs.shape',
      happened,
      'Offer only options that outputs can be computed for, with these inputs.',
      subject,
    )
  }
}

/** A pick may have been removed since the person made it. */
async function checkUnknownPicks(parts: Parts, fieldType: FieldType, filled: Filled): Promise<void> {
  for (const key of filled.picks.keys()) {
    const picks = new Map(filled.picks).set(key, NO_SUCH_ID)
    await expectInvalid(parts, fieldType, { ...filled, picks }, `an id of ${key} that does not exist`)
  }
}

/** A person may change an earlier block: what was picked below it does not fit any more. */
async function checkCrossedPicks(parts: Parts, fieldType: FieldType, filled: Filled): Promise<void> {
  const quiet = parts
  for (const block of fieldType.blocks) {
    const parents = (block.depends_on ?? []).filter((key) => filled.picks.has(key))
    const parent = fieldType.blocks.find(({ key }) => key === parents[0])
    const own = filled.picks.get(block.key)
    if (parent === undefined || own === undefined) continue
    const others = await readOptions(quiet, fieldType, parent, filled, '')
    const other = Array.isArray(others) ? others.find(({ id }) => id !== filled.picks.get(parent.key)) : undefined
    if (other === undefined) continue
    const picks = new Map(filled.picks).set(parent.key, other.id)
    const offered = await readOptions(quiet, fieldType, block, { ...filled, picks }, '')
    if (!Array.isArray(offered) || offered.some(({ id }) => id === own)) continue
    await expectInvalid(
      parts,
      fieldType,
      { ...filled, picks },
      `a pick of ${block.key} that belongs to another ${parent.key}`,
    )
  }
}

async function expectInvalid(
  { asking, report }: Parts,
  fieldType: FieldType,
  filled: Filled,
  what: string,
): Promise<void> {
  const subject = fieldType.key
  const text = await asking.ask({ op: 'outputs' }, fieldType, filled, subject)
  report.begin('outputs.picks_invalid', subject)
  const parsed = text === null ? null : parseOutputsReply(text, fieldType.outputs)
  if (parsed !== null && parsed.ok && parsed.value.kind === 'picks_invalid') return
  const happened = text === null ? `${what} got no reply` : `${what} was answered with outputs`
  const remedy =
    'Check every pick against the present options, and reply {"picks_invalid":true}: the person picks again.'
  report.fail('outputs.picks_invalid', happened, remedy, subject)
}

function noteProblems(
  report: Report,
  check: CheckName,
  problems: readonly Problem[],
  remedy: string,
  subject: string,
): void {
  for (const { path, problem } of problems) {
    report.fail(check, path === '' ? `the reply ${problem}` : `${path} ${problem}`, remedy, subject)
  }
}
