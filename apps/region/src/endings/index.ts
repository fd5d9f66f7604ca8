export { type EndingName, endingNames, endings, endsOfOneRecord } from './endings.ts'
export { type RecordKind, type RecordName, recordNames, records, type Side, sides } from './records.ts'
export { type Cell, cellOf, type Fate } from './table.ts'
