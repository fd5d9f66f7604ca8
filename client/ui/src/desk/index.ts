export { CodeBlock, type CodeBlockProps } from './code-block.tsx'
export { CopyButton, type CopyButtonProps } from './copy-button.tsx'
export { DateRange, type DateRangeProps, isBackwards, lastDays, type Range } from './date-range.tsx'
export {
  type Crumb,
  DeskPage,
  type DeskPageProps,
  DeskSection,
  type DeskSectionProps,
  type TabLink,
  Tabs,
} from './desk-page.tsx'
export { Dialog, Drawer } from './dialog.tsx'
export type { DialogProps } from './dialog-popup.tsx'
export { FileDrop, type FileDropProps } from './file-drop.tsx'
export { Inspector, type InspectorProps } from './inspector.tsx'
export type { MenuItem } from './menu.tsx'
export { MenuButton, type MenuButtonProps } from './menu-button.tsx'
export { Palette } from './palette.tsx'
export type { PaletteItem, PaletteProps } from './palette-popup.tsx'
export { SearchBox, type SearchBoxProps } from './search-box.tsx'
export { groupsOf, SecretOnce, type SecretOnceProps } from './secret-once.tsx'
export { BulkBar, type Selection } from './selecting.tsx'
export { type ActingFor, DeskFrame, type Place, type PlaceGroup, Side, type SideProps } from './side.tsx'
export { SkeletonRows, Slow } from './skeleton.tsx'
export { Count, type CountProps, Keys, Status, type StatusKind, type StatusProps } from './status.tsx'
export { type Column, type Sort, Table, type TableProps } from './table.tsx'
export { type Toast, ToastProvider, useToast } from './toast.tsx'
