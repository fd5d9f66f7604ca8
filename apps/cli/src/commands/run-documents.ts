import type { FlowRun, OpenedCompanyCopy, RunDocuments } from '@sealpost/sdk'
import type { Command, Context, Given } from '../command.ts'
import { reportWritten, writeContent } from '../files.ts'
import { drawLine } from '../flows/draw-line.ts'
import { atPortal } from '../portal-login.ts'
import { CliError } from '../terminal.ts'
import { missingOption } from './options.ts'
import { portalLoginOf, portalOptions } from './portal-options.ts'

const generate: Command = {
  words: ['flows', 'generate'],
  summary: 'Make the documents of a run whose last step the own company has answered',
  json: 'document',
  about:
    'The answers and PDFs of the participants are opened with the key file and handed over under a one-time key. A run whose\n' +
    'documents exist already gets no new ones. Prints the signing line.',
  positionals: ['RUN_ID'],
  options: {},
  async run(context, { positionals: [id = ''] }) {
    const { flows } = context.service()
    await flows.generate(id, await context.key())
    printLine(context, await flows.get(id))
  },
}

const documents: Command = {
  words: ['flows', 'documents'],
  summary: 'Print the signing line of a run',
  json: 'document',
  about: 'A step is [x] done, [>] open, [ ] waiting or [-] ended. Copies without a step are listed after it.',
  positionals: ['RUN_ID'],
  options: {},
  async run(context, { positionals: [id = ''] }) {
    printLine(context, await context.service().flows.get(id))
  },
}

const file: Command = {
  words: ['flows', 'document'],
  summary: 'Download the own copy of a document of a run',
  json: 'document',
  about: 'The sealed PDF once the last signer of the document has acted.',
  positionals: ['RUN_ID', 'OUTPUT_KEY'],
  options: { out: { type: 'string', value: 'FILE', about: 'Required' } },
  async run(context, { positionals: [id = '', outputKey = ''], text }) {
    const out = text('out') ?? missingOption('out')
    const { file: pdf, plainSha256 } = await context.service().flows.openDocument(id, outputKey, await context.key())
    writeContent(context.terminal, out, pdf.bytes)
    const facts = { bytes: pdf.bytes.length, sha256: plainSha256 }
    reportWritten(context, out, facts, ` (${pdf.bytes.length} bytes, SHA-256 ${plainSha256})`)
  },
}

const LOGIN =
  'A user signs, not a program: give the login at the portal. The session of this login ends with the command.'

const sign = actCommand('sign', 'Sign the own copy of a document of a run', (copies, copy) => copies.sign(copy))
const accept = actCommand('accept', 'Accept the own copy of a document of a run', (copies, copy) => copies.accept(copy))

function actCommand(
  word: 'sign' | 'accept',
  summary: string,
  act: (copies: RunDocuments, copy: OpenedCompanyCopy) => ReturnType<RunDocuments['sign']>,
): Command {
  return {
    words: ['flows', word],
    summary,
    json: 'document',
    about: `${LOGIN}\nRead the PDF first: the command signs or accepts exactly the PDF with this SHA-256.`,
    positionals: ['RUN_ID', 'OUTPUT_KEY'],
    options: {
      sha256: { type: 'string', value: 'DIGEST', about: 'Required; of the PDF that you have read' },
      ...portalOptions,
    },
    async run(context, given) {
      const digest = given.text('sha256') ?? missingOption('sha256')
      const key = await context.key()
      await asUser(context, given, async (copies, name) => {
        const copy = await copies.open(name, key)
        if (copy.plainSha256 !== digest)
          throw new CliError(`the PDF has the SHA-256 ${copy.plainSha256}: read it again before you ${word}`)
        const done = await act(copies, copy)
        const { status, sealed_at: sealedAt } = done
        const line = [status, ...(sealedAt === null ? [] : [`sealed ${sealedAt}`])].join('  ')
        context.terminal.print(context.isJson ? JSON.stringify(done) : line)
      })
    },
  }
}

const decline: Command = {
  words: ['flows', 'decline'],
  summary: 'Decline a document of a run, which cancels the run',
  json: 'document',
  about: LOGIN,
  positionals: ['RUN_ID', 'OUTPUT_KEY'],
  options: { reason: { type: 'string', value: 'TEXT', about: 'Shown to the participants' }, ...portalOptions },
  async run(context, given) {
    await asUser(context, given, async (copies, name) => {
      const declined = await copies.decline(name, given.text('reason') ?? undefined)
      context.terminal.print(context.isJson ? JSON.stringify(declined) : declined.status)
    })
  },
}

const cancel: Command = {
  words: ['flows', 'cancel'],
  summary: 'Cancel a run; its unsigned documents end',
  json: 'document',
  positionals: ['RUN_ID'],
  options: { reason: { type: 'string', value: 'TEXT', about: 'Shown to the participants' } },
  async run({ service, terminal, isJson }, { positionals: [id = ''], text }) {
    const cancelled = await service().flows.cancel(id, text('reason') ?? undefined)
    terminal.print(isJson ? JSON.stringify(cancelled) : cancelled.status)
  },
}

export const runDocumentCommands: readonly Command[] = [generate, documents, file, sign, accept, decline, cancel]

async function asUser(
  context: Context,
  given: Given,
  act: (copies: RunDocuments, name: Parameters<RunDocuments['open']>[0]) => Promise<void>,
): Promise<void> {
  const [runId = '', outputKey = ''] = given.positionals
  const login = portalLoginOf(context, given)
  const { service_id: serviceId } = await context.service().whoami()
  await atPortal(login, ({ account }) => act(account.runDocuments, { serviceId, runId, outputKey }))
}

function printLine({ terminal, isJson, service }: Context, run: FlowRun): void {
  if (isJson) {
    const { id, status, participants } = run
    return terminal.print(JSON.stringify({ id, status, participants }))
  }
  return drawLine(run, service().flows.signingSteps(run)).forEach((line) => terminal.print(line))
}
