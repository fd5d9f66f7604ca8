export { contentPolicy, securityHeaders } from './policy.ts'
export { webSettings, type WebSettings } from './settings.ts'
export { startWeb, type RunningWeb } from './web.ts'
