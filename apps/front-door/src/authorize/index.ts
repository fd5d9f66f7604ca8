export type { AuthorizeNeeds } from './needs.ts'
export { bindAuthorize } from './routes.ts'
export { bindUserInfo } from './user-info.ts'
