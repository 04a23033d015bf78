export { escapeLines, escapeText } from '../model/escape-text.ts'
