export {
  animatedPng,
  animatedWebp,
  jpegWithScans,
  pngTextBomb,
  pngWithHeader,
  webpWithHeader,
  zlibBomb,
} from './hostile.ts'
export { pngChunk, pngOf } from './png.ts'
export {
  exifSegment,
  gradient,
  jpegOf,
  jpegSegments,
  pixelsOf,
  plainPng,
  webpOf,
  withExif,
  withSegment,
} from './pictures.ts'
