export { generate } from './operations/generate.ts'
export { handedOver } from './operations/handed-over.ts'
export { allowInput } from './operations/inputs.ts'
export { bindGenerationRoutes } from './routes.ts'
