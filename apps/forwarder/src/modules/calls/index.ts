export { bindCalls } from './routes.ts'
