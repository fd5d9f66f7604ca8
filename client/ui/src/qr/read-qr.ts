import { binarize, type Picture } from './binarize.ts'
import { type Corners, findCorners } from './find-squares.ts'
import { type Grid, isDark, transpose } from './grid.ts'
import { sampleModules, versionsBetween } from './place-modules.ts'
import { readModules } from './read-modules.ts'

export type { Picture } from './binarize.ts'

/**
 * The text of a QR code in a picture, or null. Nothing is guessed: a code is read only if its check bytes say that all of
 * it is right.
 */
export function readQr(picture: Picture): string | null {
  const pixels = binarize(picture)
  for (const corners of findCorners(pixels)) {
    const text = readBetween(pixels, corners)
    if (text !== null) return text
  }
  return null
}

function readBetween(pixels: Grid, corners: Corners): string | null {
  for (const version of versionsBetween(pixels, corners))
    for (const modules of sampleModules(pixels, corners, version)) {
      if (!hasDottedLines(modules)) continue
      // A camera that faces the person shows a mirror.
      const text = readModules(modules) ?? readModules(transpose(modules))
      if (text !== null) return text
    }
  return null
}

/** Between the large squares, dark and light take turns. Most of what is no code ends here. */
function hasDottedLines(modules: Grid): boolean {
  const length = modules.width - 16
  let right = 0
  for (let at = 8; at < 8 + length; at += 1) {
    if (isDark(modules, at, 6) === (at % 2 === 0)) right += 1
    if (isDark(modules, 6, at) === (at % 2 === 0)) right += 1
  }
  return right >= length * 2 * 0.75
}
