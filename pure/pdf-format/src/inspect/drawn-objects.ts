import type { PdfDocument } from '../reader/document.ts'
import { isArray, isDict, isName, isStream, type PdfDict, type PdfObject, type PdfStream } from '../reader/objects.ts'
import { ambiguous } from '../refusal.ts'

const FUNCTION_TYPES = new Set<PdfObject>([0, 2, 3, 4])
const DEFAULT_SPACES = ['DefaultGray', 'DefaultRGB', 'DefaultCMYK']
/** How many numbers `Coords` of a shading has, by its type. */
const COORDINATES = new Map<PdfObject, number>([
  [2, 4],
  [3, 6],
])
const SHADING_TYPES = 7

/** For one dictionary of the file: members of what pages draw that viewers repair or ignore in different ways. */
export function refuseAmbiguousDrawing(document: PdfDocument, dict: PdfDict, isOfStream: boolean): void {
  for (const key of ['TR', 'TR2']) {
    const transfer = document.get(dict, key)
    if (isDict(transfer) || isStream(transfer) || isArray(transfer)) throw ambiguous('colors that printers change')
  }
  for (const key of DEFAULT_SPACES) if (dict.entries.has(key)) requireProfile(document, document.get(dict, key))
  if (document.get(dict, 'PatternType') === 1) requirePattern(document, dict)
  if (document.get(dict, 'ShadingType') !== null) requireShading(document, dict)
  if (document.get(dict, 'FunctionType') !== null) requireFunction(document, dict)
  if (isName(document.get(dict, 'Subtype'), 'Type3')) requireGlyphs(document, dict)
  for (const key of ['ca', 'CA']) {
    const opacity = document.get(dict, key)
    if (typeof opacity === 'number' && !(opacity >= 0 && opacity <= 1)) throw ambiguous('an opacity that is none')
  }
  if (!isOfStream) return
  const subtype = document.get(dict, 'Subtype')
  if (isName(subtype, 'Form')) requireForm(document, dict)
  if (isName(subtype, 'Image')) requirePicture(document, dict)
}

/** Printers' files say so what their device colors mean; viewers ignore it, and profiles hardly change a color. */
function requireProfile(document: PdfDocument, space: PdfObject): void {
  const head = isArray(space) ? document.resolve(space.items[0]) : space
  if (!isName(head, 'ICCBased')) throw ambiguous('another meaning of a device color')
}

function requireFunction(document: PdfDocument, dict: PdfDict): void {
  const type = document.get(dict, 'FunctionType')
  const exponent = document.get(dict, 'N')
  const range = document.get(dict, 'Range')
  if (!FUNCTION_TYPES.has(type)) throw ambiguous('an unknown function')
  if (type === 2 && !(typeof exponent === 'number' && exponent >= 0)) throw ambiguous('a function without an exponent')
  if (type === 3 && ['Functions', 'Bounds', 'Encode'].some((key) => !isArray(document.get(dict, key))))
    throw ambiguous('a function without its parts')
  const limits = range === null ? [] : numbersOf(document, range)
  if (limits === null || limits.some((limit, at) => at % 2 === 1 && limit <= (limits[at - 1] ?? limit)))
    throw ambiguous('a function without a range')
}

function requireGlyphs(document: PdfDocument, font: PdfDict): void {
  const matrix = numbersOf(document, document.get(font, 'FontMatrix'))
  const [a = 0, b = 0, c = 0, d = 0] = matrix ?? []
  if (matrix?.length !== 6 || a * d - b * c === 0) throw ambiguous('a font without a size')
  const [first, last] = [document.get(font, 'FirstChar'), document.get(font, 'LastChar')]
  const widths = numbersOf(document, document.get(font, 'Widths'))
  if (typeof first !== 'number' || typeof last !== 'number' || widths?.length !== last - first + 1)
    throw ambiguous('a font without its widths')
}

function requirePattern(document: PdfDocument, dict: PdfDict): void {
  const [across, up] = [document.get(dict, 'XStep'), document.get(dict, 'YStep')]
  const paint = document.get(dict, 'PaintType')
  const isValid = isSize(across) && isSize(up) && (paint === 1 || paint === 2)
  if (!isValid || numbersOf(document, document.get(dict, 'BBox'))?.length !== 4) throw ambiguous('an invalid pattern')
}

function isSize(value: PdfObject): boolean {
  return typeof value === 'number' && value !== 0
}

function requireShading(document: PdfDocument, dict: PdfDict): void {
  const type = document.get(dict, 'ShadingType')
  const wanted = COORDINATES.get(type)
  const extend = document.get(dict, 'Extend')
  const isKnown = typeof type === 'number' && Number.isInteger(type) && type >= 1 && type <= SHADING_TYPES
  const hasCoordinates = wanted === undefined || numbersOf(document, document.get(dict, 'Coords'))?.length === wanted
  const isExtended = extend === null || (isArray(extend) && extend.items.length === 2)
  const domain = document.get(dict, 'Domain')
  const hasDomain = type !== 1 || domain === null || numbersOf(document, domain)?.length === 4
  if (!isKnown || !hasCoordinates || !isExtended || !hasDomain) throw ambiguous('an invalid shading')
}

function requireForm(document: PdfDocument, dict: PdfDict): void {
  const matrix = document.get(dict, 'Matrix')
  const numbers = matrix === null ? [1, 0, 0, 1, 0, 0] : numbersOf(document, matrix)
  const [a = 0, b = 0, c = 0, d = 0] = numbers ?? []
  if (numbers?.length !== 6 || a * d - b * c === 0) throw ambiguous('a form without a place')
  if (numbersOf(document, document.get(dict, 'BBox'))?.length !== 4) throw ambiguous('a form without a box')
  const type = document.get(dict, 'FormType')
  if ((type !== null && type !== 1) || dict.entries.has('Subtype2')) throw ambiguous('a form of another kind')
}

const BITS = new Set<PdfObject>([1, 2, 4, 8, 16])
const LARGEST_INDEX = 255

function requirePicture(document: PdfDocument, dict: PdfDict): void {
  const bits = document.get(dict, 'BitsPerComponent')
  const space = document.get(dict, 'ColorSpace')
  const isJpeg2000 = document.filters(dict).includes('JPXDecode')
  if (document.get(dict, 'ImageMask') === true) {
    if (bits !== null && bits !== 1) throw ambiguous('a stencil of several bits')
  } else if (!isJpeg2000 && (!BITS.has(bits) || !isSpace(document, space))) throw ambiguous('a picture without colors')
  if ((document.get(dict, 'SMaskInData') ?? 0) !== 0 && !isJpeg2000) throw ambiguous('a picture with a second mask')
  if (document.get(dict, 'SMask') !== null && document.get(dict, 'Mask') !== null)
    throw ambiguous('a picture with two masks')
  requirePlainData(document, dict)
  const [stencil, mask] = [document.get(dict, 'Mask'), document.get(dict, 'SMask')]
  if (isStream(stencil) && document.get(stencil.dict, 'ImageMask') !== true) throw ambiguous('a mask that is none')
  if (isStream(mask) && !isName(document.get(mask.dict, 'ColorSpace'), 'DeviceGray'))
    throw ambiguous('a soft mask that is none')
}

/** Viewers show a color that is not in the table of a picture as another one. */
export function refuseMissingColors(document: PdfDocument, { dict, raw }: PdfStream): void {
  const space = document.get(dict, 'ColorSpace')
  if (!isArray(space) || !isName(document.resolve(space.items[0]), 'Indexed')) return
  const highest = document.resolve(space.items[2])
  const isPlain = document.get(dict, 'BitsPerComponent') === 8 && document.filters(dict).length === 0
  if (isPlain && typeof highest === 'number' && raw.some((index) => index > highest))
    throw ambiguous('a color that is not in the table')
}

const SPACES = new Set(['DeviceGray', 'DeviceRGB', 'DeviceCMYK'])

function isSpace(document: PdfDocument, space: PdfObject): boolean {
  if (isName(space)) return SPACES.has(space.name)
  if (!isArray(space)) return false
  const [head, , highest] = space.items.map((item) => document.resolve(item))
  if (!isName(head)) return false
  return head.name !== 'Indexed' || (typeof highest === 'number' && highest >= 0 && highest <= LARGEST_INDEX)
}

/** Viewers show a picture without its data as black, as white, or not at all. */
function requirePlainData(document: PdfDocument, dict: PdfDict): void {
  const [width, height] = [document.get(dict, 'Width'), document.get(dict, 'Height')]
  if (typeof width !== 'number' || typeof height !== 'number' || !(width > 0) || !(height > 0))
    throw ambiguous('a picture without a size')
  const length = document.get(dict, 'Length')
  if (document.filters(dict).length > 0 || typeof length !== 'number') return
  const bits = document.get(dict, 'BitsPerComponent')
  if (length < Math.ceil((width * (typeof bits === 'number' ? bits : 1)) / 8) * height)
    throw ambiguous('a picture without its data')
}

function numbersOf(document: PdfDocument, array: PdfObject): readonly number[] | null {
  if (!isArray(array)) return null
  const numbers: number[] = []
  for (const item of array.items) {
    const number = document.resolve(item)
    if (typeof number !== 'number') return null
    numbers.push(number)
  }
  return numbers
}
