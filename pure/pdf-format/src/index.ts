export type { ContentSource } from './content/glyph.ts'
export type { ScanBudget } from './content/scan-budget.ts'
export { editContent } from './fill/edit-content.ts'
export { claimTags, editPage, type FormOwners, type PageEdits, type TagValues } from './fill/edit-page.ts'
export { LEAST_SCALE } from './fill/place-values.ts'
export { ShownCharacters } from './fill/shown-characters.ts'
export { withoutText } from './fill/without-text.ts'
export { formatNumber } from './fill/write-show.ts'
export type { PdfFont, WritableCode } from './font/font.ts'
export { inspectPdf, type OpenedPdf, openPdf, type PdfFacts } from './inspect/inspect-pdf.ts'
export { PDF_LIMITS } from './limits.ts'
export type { PdfDocument } from './reader/document.ts'
export * from './reader/objects.ts'
export { PDF_REFUSALS, type PdfRefusal, PdfRefused } from './refusal.ts'
export { MalformedSeal } from './seal/asn1.ts'
export { type Certificate, findIssuer, readCertificate } from './seal/certificate.ts'
export { OIDS } from './seal/object-ids.ts'
export { parseRecord, type SealAct, type SealRecord } from './seal/record.ts'
export { readRevocation, type RevocationState } from './seal/revocation.ts'
export { readRevocationList, type RevocationList } from './seal/revocation-list.ts'
export {
  findSeal,
  type FoundSeal,
  MAX_LISTS,
  SEAL_PLACES_LENGTH,
  type SealPlaces,
  type Span,
  writeListSpans,
  writeSealPlaces,
} from './seal/seal-dictionary.ts'
export { type Timestamp, verifyTimestamp } from './seal/timestamp.ts'
export {
  type SealParty,
  type SealReport,
  type SealRevocation,
  type SealTrust,
  type TimestampState,
  type VerifyHost,
  verifySeal,
} from './seal/verify-seal.ts'
export type { SealCrypto } from './seal/web-crypto.ts'
export { appearanceMatrix, appearanceOf, type FoundField, statesOf } from './template/annotations.ts'
export { fillTags, type FoundTag, isTemplateKey } from './template/find-tags.ts'
export { openTemplate, type TemplatePage, type TemplateReader } from './template/read-page.ts'
export { reportPage, ScanReport, scanTemplate } from './template/scan-template.ts'
export {
  TEMPLATE_LIMITS,
  type TemplateLeftover,
  type TemplateScan,
  type TemplateTag,
  type UnreadableText,
} from './template/template-scan.ts'
