// A file opened in LibreOffice Calc, and its cells as Calc holds them.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = mkdtempSync(join(tmpdir(), "twicelog-office-"));

/** A place for a file of this name. */
export const place = name => join(folder, name);

/**
 * The sheets of a file. `csv` says how a CSV file is separated and in which language its numbers are written; formulas in it are
 * calculated.
 */
export function opened(file, csv) {
  const filter = csv ? [`--infilter=CSV:${csv.separator.charCodeAt(0)},34,76,1,,${csv.language},false,true,false,false,false,0,true`] : [];
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, "profile")).href}`;
  execFileSync(process.env.SOFFICE, [profile, "--headless", ...filter, "--convert-to", "fods", "--outdir", folder, file], { stdio: "ignore" });
  return sheets(readFileSync(place(basename(file).replace(/\.\w+$/, ".fods")), "utf8"));
}

const unescaped = text =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(lt|gt|amp|quot|apos));/gi, (_, hex, decimal, name) =>
    name ? { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" }[name] : String.fromCodePoint(hex ? parseInt(hex, 16) : Number(decimal)));

/** Sheets of a flat document: name, and rows of cells with type, text, value and formula. */
function sheets(xml) {
  return [...xml.matchAll(/<table:table table:name="([^"]*)"[^>]*>([\s\S]*?)<\/table:table>/g)].map(([, name, body]) => ({
    name: unescaped(name),
    rows: [...body.matchAll(/<table:table-row[^>]*?(?:\/>|>([\s\S]*?)<\/table:table-row>)/g)].map(([, row]) => cells(row ?? "")),
  }));
}

function cells(row) {
  return [...row.matchAll(/<table:(?:covered-)?table-cell([^>]*?)(?:\/>|>([\s\S]*?)<\/table:(?:covered-)?table-cell>)/g)].flatMap(([, attributes, content]) => {
    const attribute = name => attributes.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1];
    const cell = {
      type: attribute("office:value-type"),
      value: Number(attribute("office:value") ?? NaN),
      formula: attribute("table:formula"),
      link: /xlink:href/.test(content ?? ""),
      text: unescaped([...(content ?? "").matchAll(/<text:p[^>]*>([\s\S]*?)<\/text:p>/g)].map(([, text]) => text.replace(/<text:s[^>]*\/>/g, " ").replace(/<[^>]*>/g, "")).join("\n")),
    };
    const repeated = Number(attribute("table:number-columns-repeated") ?? 1);
    // What is repeated beyond the last column is empty.
    return Array.from({ length: Math.min(repeated, 300) }, () => cell);
  });
}

/** Cells below a head. */
export function column(sheet, head) {
  const at = sheet.rows[0].findIndex(cell => cell.text === head);
  if (at < 0) throw new Error(`${sheet.name} has no column ${head}: ${sheet.rows[0].map(cell => cell.text)}`);
  return sheet.rows.slice(1).map(row => row[at] ?? {});
}

/** Sum of the numbers of a column, to the cent. */
export const sum = cells => Math.round(cells.filter(cell => cell.type === "float").reduce((sum, cell) => sum + cell.value, 0) * 1000) / 1000;
