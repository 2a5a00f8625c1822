/** The few icons of the page, drawn here so that nothing is loaded. Always beside or behind a text. */

import { svg, type SVGTemplateResult } from "lit";

const icon = (path: SVGTemplateResult): SVGTemplateResult =>
  svg`<svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">${path}</svg>`;

export const overviewIcon = icon(svg`<path d="M3 10.5 10 4l7 6.5M5 9.5V16h10V9.5" />`);
export const boardIcon = icon(svg`<path d="M3.5 4h3.6v12H3.5zM8.2 4h3.6v8H8.2zM12.9 4h3.6v10h-3.6z" />`);
export const jobsIcon = icon(svg`<circle cx="9" cy="9" r="5" /><path d="m13 13 4 4" />`);
export const historyIcon = icon(svg`<circle cx="10" cy="10" r="6.5" /><path d="M10 6v4l3 2" />`);
export const chatIcon = icon(svg`<path d="M3.5 4.5h13v9H9l-3.5 3v-3h-2z" />`);
export const closeIcon = icon(svg`<path d="m5 5 10 10M15 5 5 15" />`);
export const addIcon = icon(svg`<path d="M10 4v12M4 10h12" />`);
export const moveIcon = icon(svg`<path d="M4 10h12M12 6l4 4-4 4M8 6 4 10l4 4" />`);
export const undoIcon = icon(svg`<path d="M7 5 4 8l3 3M4 8h7.5a4 4 0 0 1 0 8H8" />`);
export const redoIcon = icon(svg`<path d="m13 5 3 3-3 3M16 8H8.5a4 4 0 0 0 0 8H12" />`);
export const checkIcon = icon(svg`<path d="m4 10.5 4 4 8-9" />`);
export const warnIcon = icon(svg`<path d="M10 3.5 17.5 16h-15zM10 8v4M10 13.6v.6" />`);
export const toolIcon = icon(svg`<path d="M4 6h12M4 10h8M4 14h10" />`);
export const sendIcon = icon(svg`<path d="M4 10h11M11 5.5l4.5 4.5-4.5 4.5" />`);
export const stopIcon = icon(svg`<rect x="6" y="6" width="8" height="8" rx="1.5" />`);
export const markIcon = svg`<svg class="mark" viewBox="0 0 32 32" width="26" height="26" aria-hidden="true" focusable="false"><rect width="32" height="32" rx="8" /><path d="M8 22 14 12l5 6 5-9" /><circle cx="24" cy="9" r="2.4" /></svg>`;
