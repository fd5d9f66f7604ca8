import type { ContactValue, FieldTypes, ReceivedFile } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import type { PersonContext } from '../context.ts'
import { type TypeView, typeView } from '../type-view.ts'
import type { Proving } from './verifications.ts'

export type { EntryView, TypeView } from '../type-view.ts'

/** A field that the person can fill, and what is in it. */
export interface FieldView {
  readonly id: string
  readonly slug: string
  /** The platform's own fields have words in the app; others have this label. */
  readonly label: string
  readonly isOwn: boolean
  readonly type: TypeView
  /** How the person can show that a value is theirs; null where there is no way here. */
  readonly provenBy: Proving | null
  readonly value: ValueView | null
}

export interface ValueView {
  /** The plaintext; empty for a file, which is opened when it is looked at. */
  readonly text: string
  readonly isPrivate: boolean
  readonly updatedAt: string
  readonly verifiedAt: string | null
  /** False when this device could not open it. */
  readonly isOpened: boolean
}

const FOR_PERSONS: readonly string[] = ['person', 'any']

export async function listFields(context: PersonContext): Promise<readonly FieldView[]> {
  const { client } = requireOpen(context)
  const types = await client.registry()
  const values = new Map<string, ContactValue>()
  for await (const value of client.contactData.list()) values.set(value.field_id, value)
  const views: Promise<FieldView>[] = []
  for await (const field of client.contactFields.list()) {
    if (!FOR_PERSONS.includes(field.usertype)) continue
    const { id, slug, label, is_system: isSystem, type } = field
    const value = values.get(id)
    const about = { id, slug, label, isOwn: !isSystem, type: typeView(types, type), provenBy: provenBy(types, type) }
    views.push(openValue(context, value).then((opened) => ({ ...about, value: opened })))
  }
  return Promise.all(views)
}

function provenBy(types: FieldTypes, type: string): Proving | null {
  if (types.accepts('email', type)) return 'email'
  return types.accepts('phone', type) ? 'sms' : null
}

async function openValue(context: PersonContext, value: ContactValue | undefined): Promise<ValueView | null> {
  if (value === undefined) return null
  const verifiedAt = value.verified_at ?? null
  const about = { isPrivate: value.is_private, updatedAt: value.updated_at, verifiedAt }
  if (value.file !== undefined) return { ...about, text: '', isOpened: true }
  const text = await requireOpen(context)
    .client.contactData.textOf(value)
    .catch(() => null)
  return { ...about, text: text ?? '', isOpened: text !== null }
}

export interface ValueWish {
  readonly fieldId: string
  /** A composite as JSON of its parts. */
  readonly text: string
}

/** Sealed to the own key, and to every service that follows the field. */
export async function saveValue(context: PersonContext, { fieldId, text }: ValueWish): Promise<void> {
  await requireOpen(context).client.contactData.put(fieldId, text)
  context.changed('data', 'connections')
}

export interface FileWish {
  readonly fieldId: string
  readonly name: string
  readonly mimeType: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** What is said about it: its number, the day on which it ends. */
  readonly entries: Readonly<Record<string, string>>
  readonly isPrivate: boolean
}

export async function saveFile(context: PersonContext, wish: FileWish): Promise<void> {
  const { fieldId, name, mimeType, bytes, entries, isPrivate } = wish
  const file = { bytes, mimeType, originalName: name }
  await requireOpen(context).client.contactData.put(fieldId, { file, entries }, { is_private: isPrivate })
  context.changed('data', 'connections')
}

export interface OpenedFileView {
  readonly name: string
  readonly mimeType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A page of an identity document. */
export interface PageView extends OpenedFileView {
  readonly label: PageLabel
}

export type PageLabel = 'front' | 'back' | 'additional'

export interface PagesWish {
  readonly fieldId: string
  readonly pages: readonly PageView[]
  /** Who the document is about; empty when it is not said. */
  readonly holder: string
  readonly entries: Readonly<Record<string, string>>
  readonly isPrivate: boolean
}

/** All pages of a document and what is said about it are one value. */
export async function savePages(context: PersonContext, wish: PagesWish): Promise<void> {
  const { fieldId, holder, entries, isPrivate } = wish
  const pages = wish.pages.map(({ name, mimeType, bytes, label }) => ({ bytes, mimeType, originalName: name, label }))
  const value = { pages, entries, ...(holder === '' ? {} : { name: holder }) }
  await requireOpen(context).client.contactData.put(fieldId, value, { is_private: isPrivate })
  context.changed('data', 'connections')
}

/** The files of a field, opened. */
export interface OpenedFilesView {
  readonly files: readonly PageView[]
  readonly holder: string
  readonly entries: Readonly<Record<string, string>>
}

export async function openFiles(context: PersonContext, fieldId: string): Promise<OpenedFilesView> {
  const opened = await requireOpen(context).client.contactData.open(fieldId)
  if (opened.kind !== 'files') return { files: [], holder: '', entries: {} }
  const { files, name, entries } = opened.envelope
  return { files: files.map(pageView), holder: name ?? '', entries }
}

function pageView({ originalName, mimeType, bytes, label }: ReceivedFile): PageView {
  const known = PAGE_LABELS.find((one) => one === label)
  return { name: originalName ?? '', mimeType, bytes: Uint8Array.from(bytes), label: known ?? 'additional' }
}

const PAGE_LABELS: readonly PageLabel[] = ['front', 'back', 'additional']

export async function deleteValue(context: PersonContext, fieldId: string): Promise<void> {
  await requireOpen(context).client.contactData.delete(fieldId)
  context.changed('data', 'connections')
}

/** The types of which a person can make a field of their own: those that are typed in. */
const OWN_TYPES = ['text', 'email', 'phone', 'date', 'address', 'url', 'number', 'country', 'bank', 'document'] as const

export async function listOwnTypes(context: PersonContext): Promise<readonly TypeView[]> {
  const types = await requireOpen(context).client.registry()
  return OWN_TYPES.map((type) => typeView(types, type)).filter(({ input }) => input !== null)
}

export async function createField(
  context: PersonContext,
  wish: { readonly label: string; readonly type: string },
): Promise<{ readonly id: string }> {
  const { id } = await requireOpen(context).client.contactFields.create({ ...wish, usertype: 'person' })
  context.changed('data')
  return { id }
}
