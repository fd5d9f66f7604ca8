import { pluralOf } from '../plural.ts'

const plural = pluralOf('en')

/** Words of the parts for a desk. */
export const deskWords = {
  main: 'Main',
  skip: 'To the page',
  find: 'Find or do',
  findKeys: 'Ctrl K',
  switchCompany: 'Switch company',
  account: 'Your account',
  crumbs: 'Where you are',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Not copied: select it and copy it by hand',
  covered: 'covered',
  show: 'Show',
  hide: 'Hide',
  clear: 'Clear',
  selectAll: 'Select all rows',
  selectRow: (name: string) => `Select ${name}`,
  selected: (count: number) => plural(count, { other: '# selected' }),
  clearSelection: 'Clear selection',
  more: 'Show more',
  loadingMore: 'Getting more …',
  rows: (count: number) => plural(count, { one: 'The first row', other: 'The first # rows' }),
  slow: 'This takes longer than usual.',
  done: 'What was done',
  drop: {
    here: 'Drop a file here, or choose one:',
    kind: 'This kind of file cannot be used here. Choose another one.',
    tooLarge: (size: string) => `This file is larger than ${size}. Choose a smaller one.`,
  },
  range: {
    quick: 'Period',
    last: (days: number) => plural(days, { one: 'Today', other: 'Last # days' }),
    from: 'From',
    to: 'To',
    backwards: 'The end is before the beginning. Choose a later day.',
  },
  palette: {
    title: 'Find or do',
    placeholder: 'Type a name, a place or what you want to do',
    nothing: 'Nothing matches. Try other letters.',
  },
}

export type DeskWords = typeof deskWords
