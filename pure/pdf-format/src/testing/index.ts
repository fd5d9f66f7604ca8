export { buildPdf, type BuildOptions, hybridPdf, pageObjects, plainPdf } from './build-pdf.ts'
export * from './template-pdf.ts'
export * from './filled-page.ts'
export { hostile, hostileContentFiles, type HostileFile, streamBody } from './hostile/index.ts'
