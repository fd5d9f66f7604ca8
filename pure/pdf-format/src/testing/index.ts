export { buildPdf, type BuildOptions, pageObjects, plainPdf } from './build-pdf.ts'
