import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TemplateLeftover, UnreadableText } from '@sealpost/pdf-format'

/** A template of a real producer (`make-templates.ts` says how it was made), and what is in it. */
export interface TemplateFile {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly keys: readonly string[]
  readonly leftovers: readonly `${TemplateLeftover['reason']}: ${string}`[]
  readonly unreadable: readonly UnreadableText['reason'][]
}

type Expected = Pick<TemplateFile, 'keys' | 'leftovers'> & Partial<TemplateFile>

const BROWSER: Expected = {
  keys: [
    'contract_number',
    'company_name',
    'client_name',
    'start_date',
    'office_fi_fl_ffi',
    'spaced_out',
    'half_bold',
    'plugin.output',
    'colour',
    'rtl_name',
    'cell_a',
    'cell_b',
    'turned',
    'second_page',
    'after_cjk',
  ],
  leftovers: ['syntax: {{First Name}}', 'syntax: {{}}', 'syntax: {{9x}}', 'split: {{a_na', 'split: s}}'],
}

const OFFICE: Expected = {
  keys: [
    'contract_number',
    'client_name',
    'office_fi_ffl',
    'half_bold',
    'plugin.output',
    'justified',
    'cell_a',
    'cell_b',
    // Written from right to left, and drawn in another order than it is seen.
    'rtl_name',
    'second_page',
  ],
  leftovers: ['syntax: {{First Name}}', 'split: {{', 'split: apart}}'],
}

const POSTSCRIPT: Expected = {
  keys: ['contract_number', 'client_name', 'widened', 'kerned', 'turned'],
  leftovers: ['syntax: {{not a key}}'],
}

/** Visual order: tags of texts from right to left are found from the left. */
const SCRIPTS: Expected = {
  keys: [
    'contract_number',
    'latin_a',
    'latin_b',
    'cyrillic_a',
    'cyrillic_b',
    'greek_a',
    'greek_b',
    'arabic_b',
    'arabic_a',
    'hebrew_b',
    'hebrew_a',
    'devanagari_a',
    'devanagari_b',
    'han_a',
    'han_b',
    'total',
    'item',
    'amount',
  ],
  leftovers: [],
}

const CONTRACT: Expected = {
  keys: [
    'contract_number',
    'contract_date',
    'company_name',
    'company_address',
    'client_name',
    'client_address',
    'start_date',
    'notice_weeks',
    'service_a',
    'price_a',
    'service_b',
    'price_b',
    'price_total',
    'client_email',
    'iban',
    'reminder_fee',
    'annex_title',
    'annex_text',
  ],
  leftovers: [],
}

const EXPECTED: Readonly<Record<string, Expected>> = {
  cairo: BROWSER,
  'cairo-scripts': SCRIPTS,
  chromium: BROWSER,
  'chromium-contract': CONTRACT,
  'chromium-scripts': SCRIPTS,
  ghostscript: POSTSCRIPT,
  // The underscore of client_name is a drawn rule.
  latex: {
    keys: ['number', 'client', 'office', 'clientname', 'italic', 'large', 'second'],
    leftovers: ['syntax: {{9x}}'],
  },
  'latex-bitmaps': { keys: [], leftovers: [], unreadable: ['font'] },
  libreoffice: OFFICE,
  'libreoffice-pdfa': OFFICE,
  'pdf-lib': {
    keys: ['contract_number', 'turned', 'embedded', 'client_name', 'plugin.output', 'agreed'],
    leftovers: ['syntax: {{wrong-key}}'],
  },
  pdfkit: {
    keys: ['contract_number', 'client_name', 'bold', 'office_fi_ffl', 'justified', 'turned', 'second_page'],
    leftovers: ['syntax: {{client name}}'],
  },
  'qpdf-linearized': OFFICE,
  'qpdf-object-streams': POSTSCRIPT,
}

export function templateFiles(): readonly TemplateFile[] {
  const folder = join(import.meta.dirname, 'files')
  return Object.entries(EXPECTED).map(([name, expected]) => ({
    unreadable: [],
    ...expected,
    name,
    bytes: Uint8Array.from(readFileSync(join(folder, `${name}.pdf`))),
  }))
}
