export { type Hub, openHub } from './operations/hub.ts'
export { openStream } from './operations/open-stream.ts'
