export { type Images, type ImagesOptions, openImages } from './images.ts'
export { CARD_BYTES, CARD_SIDE, DRAWN_TYPE, type Drawn, type DrawnPhoto, FULL_SIDE } from './photo.ts'
export type { ImageRefusal } from './refusal.ts'
