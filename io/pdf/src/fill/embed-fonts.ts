import type { PdfObject, PdfRef } from '@sealpost/pdf-format'
import { isDict } from '@sealpost/pdf-format'
import type { Face } from '../fonts/face.ts'
import type { FontBook } from '../fonts/font-book.ts'
import { embedFont } from '../update/embed-font.ts'
import { name, withEntries } from '../update/write-object.ts'
import type { NamedFont } from './font-names.ts'
import type { Rewrite } from './rewrite.ts'

export type FontObjects = (font: NamedFont) => PdfObject

/** All faces that values are drawn in; each is cut to its glyphs, so nothing may be drawn after this. */
export function embedFonts(rewrite: Rewrite, book: FontBook, tag: string): FontObjects {
  const upright = new Map(book.faces().map((face) => [face, embedFont(rewrite, book.subsetter, face, tag)]))
  const vertical = new Map<Face, PdfRef>()
  return (font) => {
    if (font.type === 'own') return font.dict
    const place = upright.get(font.face) ?? null
    if (!font.isVertical || place === null) return place
    const known = vertical.get(font.face) ?? rewrite.reserve()
    vertical.set(font.face, known)
    const members = rewrite.resolve(place)
    rewrite.write(known, withEntries(isDict(members) ? members : null, { Encoding: name('Identity-V') }))
    return known
  }
}
