export { cancelByCopy, lockRunOfCopy, moveLine } from './operations/line.ts'
export { bindSigningRoutes } from './routes.ts'
