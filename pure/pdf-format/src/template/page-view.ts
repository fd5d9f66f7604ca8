import { type Box, type Matrix, multiply, transformBox } from '../content/matrix.ts'
import { boxOf, type Inherited } from '../inspect/pages.ts'
import type { PdfDocument } from '../reader/document.ts'
import type { PdfDict } from '../reader/objects.ts'
import { TEMPLATE_LIMITS, type TemplateTag } from './template-scan.ts'

export type Place = Pick<TemplateTag, 'left' | 'top' | 'width' | 'height'>

/** How a page is shown: cropped, turned and scaled. */
export interface PageView {
  placeOf(box: Box): Place
  /** What is shown, in the space of the page. */
  readonly crop: Box
  /** Points per unit of the page. */
  readonly unit: number
}

export function viewOf(document: PdfDocument, page: PdfDict, attributes: Inherited): PageView {
  const media = boxOf(document, attributes.get('MediaBox')) ?? { left: 0, bottom: 0, width: 0, height: 0 }
  const crop = (attributes.has('CropBox') ? boxOf(document, attributes.get('CropBox')) : null) ?? media
  const stated = document.get(page, 'UserUnit')
  const unit = typeof stated === 'number' ? stated : 1
  const rotation = attributes.get('Rotate')
  const turn = typeof rotation === 'number' ? ((rotation % 360) + 360) % 360 : 0
  const toCorner: Matrix = [unit, 0, 0, unit, -crop.left * unit, -crop.bottom * unit]
  const matrix = multiply(toCorner, turned(turn, crop.width * unit, crop.height * unit))
  return {
    unit,
    crop: { left: crop.left, bottom: crop.bottom, right: crop.left + crop.width, top: crop.bottom + crop.height },
    placeOf(box) {
      const { left, bottom, right, top } = transformBox(matrix, box)
      return { left: rounded(left), top: rounded(bottom), width: rounded(right - left), height: rounded(top - bottom) }
    },
  }
}

/** From a corner below to one above, with y downwards, after a turn clockwise. */
function turned(degrees: number, width: number, height: number): Matrix {
  switch (degrees) {
    case 90:
      return [0, 1, 1, 0, 0, 0]
    case 180:
      return [-1, 0, 0, 1, width, 0]
    case 270:
      return [0, -1, -1, 0, height, width]
    default:
      return [1, 0, 0, -1, 0, height]
  }
}

/** To hundredths of a point: less is not seen. */
export function rounded(value: number): number {
  const bounded = Math.max(-TEMPLATE_LIMITS.place, Math.min(TEMPLATE_LIMITS.place, value))
  return Number.isNaN(bounded) ? 0 : Math.round(bounded * 100) / 100 + 0
}
