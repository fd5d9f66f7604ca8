export { photoMigrations } from './migrations.ts'
export type { PhotoHooks, PhotoNeeds } from './needs.ts'
export type { Photo, PhotoId } from './photo.ts'
export {
  type CardPhoto,
  findCardPhoto,
  findPhoto,
  findPhotos,
  forgetPhotos,
  holdPhoto,
  readCardPhoto,
} from './photos.ts'
export { bindPhotoRoutes } from './routes.ts'
