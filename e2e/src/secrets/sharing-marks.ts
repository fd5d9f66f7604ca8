import { randomBytes } from 'node:crypto'

/** A text that occurs nowhere by chance. */
export function mark(name: string): string {
  return `planted ${name} ${randomBytes(8).toString('hex')}`
}

/** Values that a person shares sealed. */
export function sealedMarks() {
  return {
    name: mark('name'),
    newName: mark('edited name'),
    street: mark('street'),
    city: mark('city'),
    typed: mark('typed value'),
    provided: mark('provided later'),
    remapped: mark('mapped anew'),
    attested: mark('attested place'),
    holder: mark('holder'),
    documentNumber: mark('number'),
    scan: mark('page of a passport'),
    newScan: mark('new page'),
    fileName: mark('file name'),
    payslip: mark('payslip'),
    refused: mark('sent in the clear by mistake'),
  }
}

/** The contents of documents for one person. */
export function documentMarks() {
  return {
    terms: mark('terms of a contract'),
    contract: mark('first version of a PDF'),
    newContract: mark('PDF that is sealed'),
    contractFile: mark('name of a PDF'),
  }
}

export function messageMarks() {
  return { question: mark('question of the service'), reply: mark('reply of the person') }
}

/** The answers, files and shown values of a run of a contract flow. */
export function runMarks() {
  return {
    offer: mark('answer of the company'),
    wish: mark('answer of the person'),
    secretWish: mark('private answer'),
    deed: mark('file of a run'),
    deedName: mark('name of a file of a run'),
    shown: mark('value in a text'),
    shownPrivately: mark('private value in a text'),
  }
}

/** Values that the person or the company chose to publish. */
export function clearMarks() {
  return {
    photo: mark('public photo'),
    card: mark('public card'),
    business: mark('business card'),
    display: 'Ana Planted Gil',
  }
}

export type SealedMarks = ReturnType<typeof sealedMarks>
export type ClearMarks = ReturnType<typeof clearMarks>
