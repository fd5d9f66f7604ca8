import { latin1 } from '../reader/characters.ts'
import type { PdfDocument } from '../reader/document.ts'
import {
  isArray,
  isDict,
  isName,
  isStream,
  kindOf,
  type PdfDict,
  type PdfObject,
  type PdfString,
} from '../reader/objects.ts'
import { PdfRefused, type PdfRefusal } from '../refusal.ts'
import { refuseLayerFormula } from './layers.ts'

/**
 * [Note: what is signed is what was shown] Content that acts, that comes from elsewhere or that each viewer draws
 * differently is refused, not removed: the signers' hash is that of the bytes they got. Links are allowed.
 */
const REFUSED_KEYS = {
  JS: 'javascript',
  JavaScript: 'javascript',
  AA: 'action',
  XFA: 'xfa',
  EF: 'attachment',
  EmbeddedFiles: 'attachment',
  AF: 'attachment',
  Collection: 'attachment',
  ByteRange: 'signed',
  DocMDP: 'signed',
  RichMediaContent: 'multimedia',
  Ref: 'external_content',
  Alternates: 'alternate_image',
} as const satisfies Record<string, PdfRefusal>

/** Values of `S` of an action; links to pages, to named places and to addresses stay. */
const REFUSED_ACTIONS = {
  JavaScript: 'javascript',
  Launch: 'action',
  SubmitForm: 'action',
  ImportData: 'action',
  ResetForm: 'action',
  Hide: 'action',
  SetOCGState: 'action',
  GoToR: 'action',
  GoToE: 'action',
  Thread: 'action',
  Trans: 'action',
  Sound: 'multimedia',
  Movie: 'multimedia',
  Rendition: 'multimedia',
  GoTo3DView: 'multimedia',
  RichMediaExecute: 'multimedia',
} as const satisfies Record<string, PdfRefusal>

/** Values of `Subtype` of an annotation. */
const REFUSED_ANNOTATIONS = {
  FileAttachment: 'attachment',
  Sound: 'multimedia',
  Movie: 'multimedia',
  Screen: 'multimedia',
  RichMedia: 'multimedia',
  '3D': 'multimedia',
} as const satisfies Record<string, PdfRefusal>

const KEYS = new Map<string, PdfRefusal>(Object.entries(REFUSED_KEYS))
const ACTIONS = new Map<string, PdfRefusal>(Object.entries(REFUSED_ACTIONS))
const ANNOTATIONS = new Map<string, PdfRefusal>(Object.entries(REFUSED_ANNOTATIONS))
/** Keys that mean something else outside of forms and pictures. */
const OF_STREAMS = new Set(['Ref', 'Alternates'])
const SIGNATURES = new Set(['Sig', 'DocTimeStamp'])

/** For one dictionary of the file, wherever it is. */
export function refuseActiveContent(document: PdfDocument, dict: PdfDict, isOfStream: boolean): void {
  for (const key of dict.entries.keys()) {
    const refusal = KEYS.get(key)
    // A form XObject of another file has `Ref`; in a structure element it is something else.
    if (refusal === undefined || (OF_STREAMS.has(key) && !isOfStream)) continue
    if (hasContent(document.get(dict, key), key)) throw new PdfRefused(refusal, `a dictionary has ${key}`)
  }
  refuseNamed(ACTIONS, document, dict, 'S')
  refuseNamed(ANNOTATIONS, document, dict, 'Subtype')
  refuseAddress(document, dict)
  refuseLayerFormula(document, dict)
  const type = document.get(dict, 'Type')
  if (isName(type) && SIGNATURES.has(type.name) && !isOfStream)
    throw new PdfRefused('signed', 'the file has a signature')
  if (isOfStream && document.get(dict, 'F') !== null)
    throw new PdfRefused('external_content', 'the data of a stream is in another file')
}

/** A picture or font that is called `AA` is no action: only scripts and forms are streams. */
function hasContent(value: PdfObject, key: string): boolean {
  if (isStream(value)) return key === 'JS' || key === 'XFA'
  if (isArray(value)) return value.items.length > 0
  return isDict(value) ? value.entries.size > 0 : value !== null
}

function refuseNamed(table: ReadonlyMap<string, PdfRefusal>, document: PdfDocument, dict: PdfDict, key: string): void {
  const value = document.get(dict, key)
  const refusal = isName(value) ? table.get(value.name) : undefined
  if (refusal !== undefined && isName(value)) throw new PdfRefused(refusal, `${key} is ${value.name}`)
}

/** The web and e-mail; other schemes start programs, and what has none depends on where the file lies. */
const ADDRESS = /^(?:https?:\/\/|mailto:)/i

function refuseAddress(document: PdfDocument, dict: PdfDict): void {
  if (!isName(document.get(dict, 'S'), 'URI')) return
  const address = document.get(dict, 'URI')
  if (isText(address) && !ADDRESS.test(latin1(address.bytes)))
    throw new PdfRefused('link_address', 'a link is neither to the web nor an e-mail address')
}

function isText(object: PdfObject): object is PdfString {
  return kindOf(object) === 'string'
}

/** What happens when the file is opened: a place is shown, and nothing else. */
export function refuseOpenAction(document: PdfDocument, catalog: PdfDict): void {
  const action = document.get(catalog, 'OpenAction')
  if (!isDict(action)) return
  if (!isName(document.get(action, 'S'), 'GoTo') || document.get(action, 'Next') !== null)
    throw new PdfRefused('open_action', 'an action runs when the file is opened')
}
