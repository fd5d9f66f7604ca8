export { buildPdf, type BuildOptions, pageObjects, plainPdf } from './build-pdf.ts'
export * from './template-pdf.ts'
