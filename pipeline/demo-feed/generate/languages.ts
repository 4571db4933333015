/** What the generator needs to write something plausible in one language. Single dictionary words; no sentence is anybody's. */
export type Language = {
  readonly words: readonly string[];
  /** Local names of the namespaces talk, user, user talk, project talk suffix, file, template, category. */
  readonly talk: string;
  readonly user: string;
  readonly userTalk: string;
  readonly file: string;
  readonly template: string;
  readonly category: string;
  /** MediaWiki's text of a categorize event, behind the page's link. */
  readonly addedToCategory: string;
  readonly isRightToLeft: boolean;
};

function language(
  words: string,
  namespaces: string,
  addedToCategory: string,
  isRightToLeft = false,
): Language {
  const [
    talk = "Talk",
    user = "User",
    userTalk = "User talk",
    file = "File",
    template = "Template",
    category = "Category",
  ] = namespaces.split("|");
  return {
    words: words.split(" "),
    talk,
    user,
    userTalk,
    file,
    template,
    category,
    addedToCategory,
    isRightToLeft,
  };
}

/** Languages by code. */
export const LANGUAGES = {
  en: language(
    "river bridge station history church village island football railway castle museum species lake mountain school album battle season county garden harbour valley theatre comet",
    "Talk|User|User talk|File|Template|Category",
    "added to category",
  ),
  de: language(
    "Fluss Brücke Bahnhof Geschichte Kirche Dorf Insel Fußball Schloss Straße See Gebirge Schule Gemeinde Kreis Museum Übersicht Garten Hafen Tal",
    "Diskussion|Benutzer|Benutzer Diskussion|Datei|Vorlage|Kategorie",
    "zur Kategorie hinzugefügt",
  ),
  fr: language(
    "rivière pont gare histoire église village île château musée espèce lac montagne école bataille saison forêt théâtre élection marché été",
    "Discussion|Utilisateur|Discussion utilisateur|Fichier|Modèle|Catégorie",
    "ajoutée à la catégorie",
  ),
  es: language(
    "río puente estación historia iglesia pueblo isla fútbol castillo museo especie lago montaña escuela batalla niño año jardín puerto valle",
    "Discusión|Usuario|Usuario discusión|Archivo|Plantilla|Categoría",
    "añadida a la categoría",
  ),
  it: language(
    "fiume ponte stazione storia chiesa villaggio isola calcio castello museo specie lago montagna scuola battaglia stagione città giardino porto valle",
    "Discussione|Utente|Discussioni utente|File|Template|Categoria",
    "aggiunta alla categoria",
  ),
  pt: language(
    "rio ponte estação história igreja vila ilha futebol castelo museu espécie lago montanha escola batalha temporada município jardim porto vale",
    "Discussão|Usuário(a)|Usuário(a) Discussão|Ficheiro|Predefinição|Categoria",
    "foi adicionada à categoria",
  ),
  pl: language(
    "rzeka most stacja historia kościół wieś wyspa zamek muzeum gatunek jezioro góra szkoła bitwa sezon powiat gmina ogród port dolina",
    "Dyskusja|Wikipedysta|Dyskusja wikipedysty|Plik|Szablon|Kategoria",
    "dodano do kategorii",
  ),
  sv: language(
    "älv bro station historia kyrka by ö fotboll slott museum art sjö berg skola slag säsong kommun trädgård hamn dal",
    "Diskussion|Användare|Användardiskussion|Fil|Mall|Kategori",
    "lades till i kategorin",
  ),
  tr: language(
    "nehir köprü istasyon tarih kilise köy ada kale müze tür göl dağ okul savaş sezon ilçe bahçe liman vadi şehir",
    "Tartışma|Kullanıcı|Kullanıcı mesaj|Dosya|Şablon|Kategori",
    "kategorisine eklendi",
  ),
  vi: language(
    "sông cầu ga lịch sử nhà thờ làng đảo bóng đá lâu đài bảo tàng loài hồ núi trường trận mùa huyện vườn cảng",
    "Thảo luận|Thành viên|Thảo luận Thành viên|Tập tin|Bản mẫu|Thể loại",
    "đã được thêm vào thể loại",
  ),
  ru: language(
    "река мост станция история церковь деревня остров футбол замок музей вид озеро гора школа битва сезон район сад порт долина",
    "Обсуждение|Участник|Обсуждение участника|Файл|Шаблон|Категория",
    "добавлена в категорию",
  ),
  uk: language(
    "річка міст станція історія церква село острів замок музей вид озеро гора школа битва сезон район сад порт долина ґанок",
    "Обговорення|Користувач|Обговорення користувача|Файл|Шаблон|Категорія",
    "додано до категорії",
  ),
  ar: language(
    "نهر جسر محطة تاريخ كنيسة قرية جزيرة قلعة متحف نوع بحيرة جبل مدرسة معركة موسم حديقة ميناء وادي مدينة شارع",
    "نقاش|مستخدم|نقاش المستخدم|ملف|قالب|تصنيف",
    "أضيفت إلى التصنيف",
    true,
  ),
  fa: language(
    "رود پل ایستگاه تاریخ کلیسا روستا جزیره قلعه موزه گونه دریاچه کوه مدرسه نبرد فصل باغ بندر دره شهر می‌رود",
    "بحث|کاربر|بحث کاربر|پرونده|الگو|رده",
    "به رده افزوده شد",
    true,
  ),
  he: language(
    "נהר גשר תחנה היסטוריה כנסייה כפר אי כדורגל טירה מוזיאון מין אגם הר בית־ספר קרב עונה גן נמל עמק עיר",
    "שיחה|משתמש|שיחת משתמש|קובץ|תבנית|קטגוריה",
    "נוסף לקטגוריה",
    true,
  ),
  ur: language(
    "دریا پل اسٹیشن تاریخ گاؤں جزیرہ قلعہ عجائب جھیل پہاڑ اسکول جنگ موسم باغ بندرگاہ وادی شہر سڑک",
    "تبادلۂ خیال|صارف|تبادلۂ خیال صارف|فائل|سانچہ|زمرہ",
    "زمرے میں شامل",
    true,
  ),
  ja: language(
    "川 橋 駅 歴史 教会 村 島 城 博物館 種 湖 山 学校 戦い 季節 庭園 港 谷 都市 さくら カメラ ｶﾅ",
    "ノート|利用者|利用者‐会話|ファイル|Template|Category",
    "をカテゴリに追加",
  ),
  zh: language(
    "河流 大桥 车站 历史 教堂 村庄 岛屿 足球 城堡 博物馆 物种 湖泊 山脉 学校 战役 赛季 花园 港口 山谷 城市 𠮷野",
    "讨论|用户|用户讨论|文件|模板|分类",
    "已添加至分类",
  ),
  ko: language(
    "강 다리 역 역사 교회 마을 섬 축구 성 박물관 종 호수 산 학교 전투 시즌 정원 항구 계곡 도시",
    "토론|사용자|사용자토론|파일|틀|분류",
    "분류에 추가됨",
  ),
  hi: language(
    "नदी पुल स्टेशन इतिहास गिरजाघर गाँव द्वीप किला संग्रहालय प्रजाति झील पर्वत विद्यालय युद्ध ऋतु उद्यान बंदरगाह घाटी नगर क्षेत्र",
    "वार्ता|सदस्य|सदस्य वार्ता|चित्र|साँचा|श्रेणी",
    "श्रेणी में जोड़ा गया",
  ),
  bn: language(
    "নদী সেতু স্টেশন ইতিহাস গির্জা গ্রাম দ্বীপ দুর্গ জাদুঘর প্রজাতি হ্রদ পর্বত বিদ্যালয় যুদ্ধ ঋতু উদ্যান বন্দর উপত্যকা শহর",
    "আলাপ|ব্যবহারকারী|ব্যবহারকারী আলাপ|চিত্র|টেমপ্লেট|বিষয়শ্রেণী",
    "বিষয়শ্রেণীতে যোগ",
  ),
  ta: language(
    "ஆறு பாலம் நிலையம் வரலாறு கிராமம் தீவு கோட்டை அருங்காட்சியகம் இனம் ஏரி மலை பள்ளி போர் பருவம் தோட்டம் துறைமுகம் பள்ளத்தாக்கு நகரம்",
    "பேச்சு|பயனர்|பயனர் பேச்சு|படிமம்|வார்ப்புரு|பகுப்பு",
    "பகுப்பில் சேர்க்கப்பட்டது",
  ),
  th: language(
    "แม่น้ำ สะพาน สถานี ประวัติศาสตร์ โบสถ์ หมู่บ้าน เกาะ ปราสาท พิพิธภัณฑ์ ทะเลสาบ ภูเขา โรงเรียน ฤดูกาล สวน ท่าเรือ หุบเขา เมือง ถนน",
    "พูดคุย|ผู้ใช้|คุยกับผู้ใช้|ไฟล์|แม่แบบ|หมวดหมู่",
    "เพิ่มลงในหมวดหมู่",
  ),
  el: language(
    "ποτάμι γέφυρα σταθμός ιστορία εκκλησία χωριό νησί κάστρο μουσείο είδος λίμνη βουνό σχολείο μάχη κήπος λιμάνι κοιλάδα πόλη",
    "Συζήτηση|Χρήστης|Συζήτηση χρήστη|Αρχείο|Πρότυπο|Κατηγορία",
    "προστέθηκε στην κατηγορία",
  ),
  hy: language(
    "գետ կամուրջ կայարան պատմություն եկեղեցի գյուղ կղզի բերդ թանգարան տեսակ լիճ լեռ դպրոց ճակատամարտ այգի նավահանգիստ հովիտ քաղաք",
    "Քննարկում|Մասնակից|Մասնակցի քննարկում|Պատկեր|Կաղապար|Կատեգորիա",
    "ավելացվեց կատեգորիային",
  ),
  ka: language(
    "მდინარე ხიდი სადგური ისტორია ეკლესია სოფელი კუნძული ციხე მუზეუმი სახეობა ტბა მთა სკოლა ბრძოლა ბაღი პორტი ხეობა ქალაქი",
    "განხილვა|მომხმარებელი|მომხმარებლის განხილვა|ფაილი|თარგი|კატეგორია",
    "დაემატა კატეგორიას",
  ),
} as const satisfies Record<string, Language>;

/** A key of {@link LANGUAGES}. */
export type LanguageCode = keyof typeof LANGUAGES;
