export { webConfig, type WebApp } from './web-config.ts'
