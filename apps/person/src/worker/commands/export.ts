import { createCryptoPlatform } from '@sealpost/crypto'
import type { OwnConnection, OwnDocument } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import { workerFailure } from '@sealpost/web-app/worker'
import type { PersonContext } from '../context.ts'
import { type FieldView, listFields, openFiles } from './data.ts'
import { type GivenAnswerView, listRuns, openRunFile, readRun, type RunView } from './flows.ts'

/** What could not be opened is named, so that the file never looks more complete than it is. */
const UNOPENED = { unopened: true } as const

/** Everything that the account holds, opened: for the person's own keeping. */
export async function exportData(context: PersonContext): Promise<string> {
  const { client, email, displayName } = requireOpen(context)
  const connections: OwnConnection[] = []
  for await (const connection of client.connections.list()) connections.push(connection)
  const { share_code, region } = await client.me()
  const whole = {
    account: { email, name: displayName, share_code, region },
    values: await valuesOf(context),
    connections: await Promise.all(connections.map((connection) => connectionOf(context, connection))),
    papers: await papersOf(context, connections),
    messages: await messagesOf(context, connections),
    forms: await formsOf(context),
  }
  return JSON.stringify(whole, null, 2)
}

async function valuesOf(context: PersonContext): Promise<readonly unknown[]> {
  const fields = (await listFields(context)).filter(({ value }) => value !== null)
  return Promise.all(
    fields.map(async (field) => ({
      field: field.slug,
      label: field.label,
      type: field.type.type,
      ...(field.value?.isOpened === true ? await valueOf(context, field) : UNOPENED),
      updated_at: field.value?.updatedAt,
      verified_at: field.value?.verifiedAt ?? undefined,
    })),
  )
}

async function valueOf(context: PersonContext, { id, type, value }: FieldView): Promise<object> {
  if (!type.isFile) return { value: value?.text }
  return openedOr(async () => {
    const { files, holder, entries } = await openFiles(context, id)
    return { holder: holder === '' ? undefined : holder, entries, files: files.map(fileOf) }
  })
}

async function connectionOf(context: PersonContext, connection: OwnConnection): Promise<object> {
  const { company, connected_at, services } = connection
  const typed = await requireOpen(context).client.connections.typedValues(connection)
  return {
    company: company.display_name,
    connected_at,
    services: services.map(({ service_name, mappings }) => ({
      service: service_name,
      shared: mappings.map(({ slug, live, provided_at }) => ({
        slug,
        follows_changes: live,
        provided_at,
        typed: typed[slug],
      })),
    })),
  }
}

async function papersOf(context: PersonContext, connections: readonly OwnConnection[]): Promise<readonly unknown[]> {
  const { client } = requireOpen(context)
  const found = new Map<string, OwnDocument>()
  const lists = [client.documents.list(), ...connections.map(({ id }) => client.documents.list(id))]
  for (const list of lists)
    for await (const document of list) found.set(`${document.connection_id} ${document.id}`, document)
  const papers: unknown[] = []
  // One after the other: papers may be large.
  for (const { id, connection_id, name, kind, status, created_at, sealed_at, signatures } of found.values()) {
    const acts = signatures.map(({ action, method, created_at: at }) => ({ action, method, at }))
    const content = await openedOr(async () => {
      const opened = await client.documents.open(connection_id, id)
      if (opened.kind === 'json') return { content: opened.value }
      const { originalName, mimeType, bytes } = opened.file
      return { file: fileOf({ name: originalName ?? name, mimeType, bytes: Uint8Array.from(bytes) }) }
    })
    const from = companyOf(connections, connection_id)
    papers.push({ name, company: from, kind, status, created_at, sealed_at, acts, ...content })
  }
  return papers
}

async function messagesOf(context: PersonContext, connections: readonly OwnConnection[]): Promise<readonly unknown[]> {
  const { client } = requireOpen(context)
  const messages: unknown[] = []
  for (const { id, company } of connections)
    for await (const message of client.messages.list(id)) {
      const { from, created_at, read_at } = message
      const text = await openedOr(async () => ({ text: await client.messages.open(message) }))
      messages.push({ company: company.display_name, from, created_at, read_at, ...text })
    }
  return messages
}

async function formsOf(context: PersonContext): Promise<readonly unknown[]> {
  const forms: unknown[] = []
  for (const { runId, connectionId, companyName, state, updatedAt } of await listRuns(context)) {
    const answers = await openedOr(async () => {
      const run = await readRun(context, { connectionId, runId })
      return { answers: await answersOf(context, run) }
    })
    forms.push({ company: companyName, state: state.kind, updated_at: updatedAt, ...answers })
  }
  return forms
}

async function answersOf(context: PersonContext, run: RunView): Promise<readonly unknown[]> {
  const answers: unknown[] = []
  // One after the other: files may be large.
  for (const { slug, label, who, content } of run.answers)
    answers.push({ question: label, answered_by: who, ...(await answerOf(context, { ...run, slug }, content)) })
  return answers
}

async function answerOf(
  context: PersonContext,
  name: { readonly connectionId: string; readonly runId: string; readonly slug: string },
  content: GivenAnswerView['content'],
): Promise<object> {
  if (content.kind === 'text') return { text: content.text }
  if (content.kind === 'choices') return { choices: content.labels }
  if (content.kind === 'plugin') return { parts: content.texts }
  if (content.kind === 'unreadable' || !content.isHeld) return UNOPENED
  return openedOr(async () => {
    const file = await openRunFile(context, name)
    return file === null ? UNOPENED : { file: fileOf(file) }
  })
}

function companyOf(connections: readonly OwnConnection[], connectionId: string): string | null {
  return connections.find(({ id }) => id === connectionId)?.company.display_name ?? null
}

function fileOf({
  name,
  mimeType,
  bytes,
}: {
  readonly name: string
  readonly mimeType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}) {
  return { name, mime_type: mimeType, base64: createCryptoPlatform(globalThis).base64.encode(bytes) }
}

/** A platform that cannot be reached ends the export: a file with gaps that it does not name would be worse than none. */
async function openedOr<Opened extends object>(open: () => Promise<Opened>): Promise<Opened | typeof UNOPENED> {
  try {
    return await open()
  } catch (error) {
    const { kind } = workerFailure(error)
    if (kind === 'own' || kind === 'untrusted') return UNOPENED
    throw error
  }
}
