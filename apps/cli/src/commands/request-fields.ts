import type { AccountClient } from '@sealpost/sdk'
import type { Command, Context } from '../command.ts'
import { readJson, reportWritten, writeContent } from '../files.ts'
import { printableJson } from '../printable.ts'
import { type Difference, differenceOf, documentOf, isSame, linesOf, namelessRow } from '../request-rows/difference.ts'
import { missingSlug, readRows } from '../request-rows/read-rows.ts'
import { CliError, type Terminal } from '../terminal.ts'
import { missingOption } from './options.ts'

const WORDS = ['services', 'request-fields'] as const

const pull: Command = {
  words: [...WORDS, 'pull'],
  summary: 'Write the request fields of a service to a file',
  json: 'document',
  about: 'The file contains the config token: a later push is refused if another user published in between.',
  positionals: ['SERVICE_ID'],
  options: { out: { type: 'string', value: 'FILE', about: 'Target file; standard output by default' } },
  async run(context, { positionals: [serviceId = ''], text }) {
    const { account, terminal, isJson } = context
    const read = await account().requestFields.read(serviceId)
    const out = text('out')
    if (out === null) {
      const lines = isJson ? [JSON.stringify(read)] : JSON.stringify(read, null, 2).split('\n')
      return lines.forEach((line) => terminal.print(printableJson(line)))
    }
    writeContent(terminal, out, `${JSON.stringify(read, null, 2)}\n`)
    const rows = read.request_fields.length
    reportWritten(context, out, { rows }, ` (${rows} rows)`)
  },
}

const push: Command = {
  words: [...WORDS, 'push'],
  summary: 'Publish the request fields of a service from a file',
  json: 'document',
  about:
    'Replaces the rows and shows the difference first. A row that is not in the file is removed with the values of the\n' +
    'customers: confirm that at the terminal, or name it with --remove. The file is the output of pull, which is refused\n' +
    'if another user published since, or a bare list of rows. It is never written to.',
  positionals: ['SERVICE_ID'],
  options: {
    file: { type: 'string', value: 'FILE', about: 'Required' },
    remove: {
      type: 'string',
      value: 'SLUG',
      isRepeatable: true,
      about: 'Confirms the removal of this row; repeatable',
    },
    'dry-run': { type: 'boolean', about: 'Print the difference and publish nothing' },
    force: { type: 'boolean', about: 'Publish even if another user published since the pull' },
  },
  async run({ account, terminal, isJson }, { positionals: [serviceId = ''], text, texts, flag }) {
    const file = text('file') ?? missingOption('file')
    const { token, rows } = readRows(readJson(terminal, file, 'request fields'), file)
    const { requestFields } = account()
    const present = await requestFields.read(serviceId)
    const nameless = namelessRow(present.request_fields, rows)
    if (nameless !== -1) throw missingSlug(file, nameless, rows[nameless]?.label ?? '')
    const difference = differenceOf(present.request_fields, rows)
    const counts = difference.removed.length === 0 ? new Map() : await countValues(requestFields, serviceId)
    if (flag('dry-run')) return printDifference({ terminal, isJson }, difference, counts)
    if (isSame(difference)) {
      terminal.log(`nothing to publish: these ${rows.length} rows are published`)
      if (isJson) terminal.print(JSON.stringify(present))
      return
    }
    if (token !== null && token !== present.config_token && !flag('force')) throw outdated(file)
    const kept = rows.find(({ slug }) => texts('remove').includes(slug ?? ''))
    if (kept !== undefined) throw new CliError(`--remove ${kept.slug}: ${file} still has this row`)
    for (const line of linesOf(difference, counts)) terminal.log(line)
    await confirmRemovals(terminal, difference, texts('remove'))
    // The token of the rows that the user was shown: a later publication of another user is not replaced.
    const published = await requestFields.publish(serviceId, present.config_token, rows)
    if (isJson) terminal.print(JSON.stringify(published))
    terminal.log(`published ${published.request_fields.length} rows`)
    if (token !== null) terminal.log(`note: the config token in ${file} is outdated now; pull before the next push`)
  },
}

export const requestFieldCommands: readonly Command[] = [pull, push]

function outdated(file: string): CliError {
  return new CliError(
    `the rows were published since ${file} was pulled (services.config_conflict): pull again, or add --force`,
  )
}

async function countValues(
  requestFields: AccountClient['requestFields'],
  serviceId: string,
): Promise<ReadonlyMap<string, number>> {
  const { request_fields: rows } = await requestFields.read(serviceId, { countsValues: true })
  return new Map(rows.flatMap(({ id, value_count: count }) => (count === undefined ? [] : [[id, count] as const])))
}

function printDifference(
  { terminal, isJson }: Pick<Context, 'terminal' | 'isJson'>,
  difference: Difference,
  counts: ReadonlyMap<string, number>,
): void {
  if (isJson) terminal.print(JSON.stringify(documentOf(difference, counts)))
  else for (const line of linesOf(difference, counts)) terminal.print(line)
  terminal.log(isSame(difference) ? 'dry run: nothing would change' : 'dry run: nothing was published')
}

/** Throws unless each removal is confirmed, by an option or at the terminal. */
async function confirmRemovals(
  terminal: Terminal,
  { removed }: Difference,
  confirmed: readonly string[],
): Promise<void> {
  const open = removed.filter(({ slug }) => !confirmed.includes(slug))
  if (open.length === 0) return
  if (!terminal.isInteractive) {
    const options = open.map(({ slug }) => `--remove ${slug}`).join(' ')
    throw new CliError(`nothing was published: confirm each removal with ${options}`)
  }
  const slugs = open.map(({ slug }) => slug).join(', ')
  const answer = await terminal.ask(`Remove ${slugs} with all values that customers have given? Type yes: `)
  if (answer.trim().toLowerCase() !== 'yes') throw new CliError('nothing was published')
}
