export { findCardPhoto, forgetPhotos, lockPhotoForShare } from './operations/photos.ts'
export { bindPhotoRoutes } from './routes.ts'
