import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** Markdown as code hosts read it: CommonMark with tables, autolinks, footnotes and strikethrough. */
export function markdownTree(text: string): Root {
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
}

/** All nodes of a tree, each before those below it. */
export function nodesIn(node: Nodes): Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(nodesIn) : [])]
}

/** What people see of a tree: HTML is not shown. */
export function seenIn(node: Nodes): string {
  if (node.type === 'html') return ''
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(seenIn).join('') : ''
}

/** The texts of a tree that a code host looks through for mentions, numbers of issues and the like: not those in code. */
export function readTexts(node: Nodes): string[] {
  return nodesIn(node).flatMap(each => (each.type === 'text' ? [each.value] : []))
}
