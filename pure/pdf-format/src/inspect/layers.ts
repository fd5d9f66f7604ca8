import type { PdfDocument } from '../reader/document.ts'
import { isArray, isDict, isName, type PdfDict } from '../reader/objects.ts'
import { PdfRefused } from '../refusal.ts'

/** Layers (optional content) are accepted if all of them are on: always, on a screen and on paper. */
export function inspectLayers(document: PdfDocument, catalog: PdfDict): void {
  const properties = document.get(catalog, 'OCProperties')
  if (!isDict(properties)) return
  const usual = document.get(properties, 'D')
  if (isDict(usual)) requireAllOn(document, usual)
  const others = document.get(properties, 'Configs')
  for (const item of isArray(others) ? others.items : []) {
    const other = document.resolve(item)
    if (isDict(other)) requireAllOn(document, other)
  }
  const groups = document.get(properties, 'OCGs')
  for (const item of isArray(groups) ? groups.items : []) {
    const group = document.resolve(item)
    if (isDict(group)) requireAlwaysOn(document, group)
  }
}

function requireAllOn(document: PdfDocument, config: PdfDict): void {
  const base = document.get(config, 'BaseState')
  if (base !== null && !isName(base, 'ON')) throw new PdfRefused('layers', 'the layers are not on')
  const off = document.get(config, 'OFF')
  if (isArray(off) && off.items.length > 0) throw new PdfRefused('layers', 'a layer is off')
}

/** Uses that say when a layer is shown, and what they say. */
const STATES = { View: 'ViewState', Print: 'PrintState', Export: 'ExportState' } as const
const CONDITIONS = ['Zoom', 'User', 'Language']

function requireAlwaysOn(document: PdfDocument, group: PdfDict): void {
  const usage = document.get(group, 'Usage')
  if (!isDict(usage)) return
  for (const [use, key] of Object.entries(STATES)) {
    const stated = document.get(usage, use)
    const state = isDict(stated) ? document.get(stated, key) : null
    if (state !== null && !isName(state, 'ON')) throw new PdfRefused('layers', `a layer is not on for ${use}`)
  }
  if (CONDITIONS.some((condition) => document.get(usage, condition) !== null))
    throw new PdfRefused('layers', 'a layer depends on zoom, user or language')
}

const OF_HIDDEN = new Set(['AnyOff', 'AllOff'])

/** For one dictionary of the file: content that is shown when a layer is off, or by a formula. */
export function refuseLayerFormula(document: PdfDocument, dict: PdfDict): void {
  if (!isName(document.get(dict, 'Type'), 'OCMD')) return
  const policy = document.get(dict, 'P')
  if (document.get(dict, 'VE') !== null || (isName(policy) && OF_HIDDEN.has(policy.name)))
    throw new PdfRefused('layers', 'content is shown when a layer is off')
}
